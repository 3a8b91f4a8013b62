"""The proof of generated clients: in three languages they compile, read every list, and ask for games.

    python -m tests.proofs.clients [python] [typescript] [java] [--at ADDRESS]

ADDRESS is a site that runs, with the shipped records; without it the proof starts one of its own. What stands there at
/api/schema/ is what clients are generated from. The generators (openapi-python-client; openapi-typescript with tsc in
strict mode; OpenAPI Generator for Java) are fetched by pip and npm into var/proof-clients when they are first needed.
TypeScript needs `node`; Java needs `java` and `javac`, and is compiled against the libraries that its generator brings.
Without names all three; some minutes.

Due after a change of the description of the API.
"""

import argparse
import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tests.proofs.operation_servers import Installation
from tests.proofs.running import Figures, demand, outcome, report
from tests.services.machine import ROOT

FOLDER = ROOT / "var" / "proof-clients"
PYTHON = FOLDER / "tools" / "bin"
PACKAGES = ("openapi-python-client", "openapi-generator-cli", "ruff")
NPM = ("openapi-typescript@7", "openapi-fetch@0.17", "typescript@5", "@types/node@20")
ANY = ("NearestValue", "ParameterValue", "SentValue")  # unions with lists, of which Java's generator makes no Java
READ_IN_PYTHON = """
import importlib, json, pkgutil, sys
import made_client.api as api
from made_client import Client
from made_client.api.batches import batches_cancel_create, batches_create
from made_client.models import BatchRequest, BatchesCancelCreateBody
client = Client(base_url=sys.argv[1], raise_on_unexpected_status=True)
lists = rows = 0
for module in pkgutil.walk_packages(api.__path__, "made_client.api."):
    if module.name.endswith("_list"):
        page = importlib.import_module(module.name).sync(client=client)
        lists, rows = lists + 1, rows + len(page.results)
batch = batches_create.sync(client=client, body=BatchRequest(ruleset="kalah-reference", games=7, seed=int(sys.argv[2])))
stopped = batches_cancel_create.sync(batch.id, client=client, body=BatchesCancelCreateBody())
print(json.dumps({"lists": lists, "rows": rows, "state": stopped.state.value}))
"""
READ_IN_TYPESCRIPT = """
import createClient from "openapi-fetch";
import type { paths } from "./schema";
const client = createClient<paths, "application/json">({ baseUrl: process.argv[2] });
let lists = 0, rows = 0, dated = 0;
async function main(): Promise<void> {
LISTS
  const { data: evidence } = await client.GET("/api/v1/evidence/");
  for (const record of evidence!.results) dated += (record.date.earliest ?? 0) + record.identifier.length > 0 ? 1 : 0;
  const wish = { ruleset: "kalah-reference", games: 7, seed: Number(process.argv[3]), players: "random", cap: 2000 };
  const { data: batch } = await client.POST("/api/v1/batches/", { body: { ...wish, until: "game" } });
  const named = { path: { id: batch!.id } };
  const { data: stopped } = await client.POST("/api/v1/batches/{id}/cancel/", { params: named, body: {} });
  console.log(JSON.stringify({ lists, rows, dated, state: stopped!.state }));
}
main();
"""
READ_IN_JAVA = """
import java.lang.reflect.Method;
import java.util.*;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.BatchesApi;
import org.openapitools.client.model.*;
public class Main {
  public static void main(String[] given) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(given[0]);
    int lists = 0, rows = 0;
    for (String name : given[2].split(",")) {
      Class<?> kind = Class.forName("org.openapitools.client.api." + name);
      Object api = kind.getConstructor(ApiClient.class).newInstance(client);
      for (Method one : kind.getMethods()) {
        Class<?>[] takes = one.getParameterTypes();
        if (!one.getName().endsWith("List") || takes[takes.length - 1] == Map.class) continue;
        Object page = one.invoke(api, new Object[takes.length]);
        rows += ((List<?>) page.getClass().getMethod("getResults").invoke(page)).size();
        lists++;
      }
    }
    BatchesApi batches = new BatchesApi(client);
    BatchRequest wish = new BatchRequest().ruleset("kalah-reference").games(7).seed(Long.valueOf(given[1]));
    String id = batches.batchesCreate(wish, null).getId();
    String state = batches.batchesCancelCreate(id, Map.of(), null).getState().getValue();
    System.out.println("{\\"lists\\": " + lists + ", \\"rows\\": " + rows + ", \\"state\\": \\"" + state + "\\"}");
  }
}
"""
GENERATED = """
package javax.annotation;
public @interface Generated { String[] value(); String date() default ""; String comments() default ""; }
"""  # of Java itself until version 8, which generated code still names


def said(*words: str | Path, folder: Path = FOLDER) -> str:
    """What a command prints; it must succeed."""
    paths = os.pathsep.join((str(PYTHON), str(FOLDER / "node_modules" / ".bin"), os.environ["PATH"]))
    done = subprocess.run(
        [*map(str, words)], cwd=folder, env={**os.environ, "PATH": paths}, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{words[0]} exited {done.returncode}: {(done.stdout + done.stderr)[-3000:]}"
    return done.stdout


def python_tools() -> None:
    if not (PYTHON / "openapi-generator-cli").exists():
        said(sys.executable, "-m", "venv", FOLDER / "tools")
        said(PYTHON / "pip", "install", "--quiet", *PACKAGES)


def judged(text: str, document: dict[str, Any]) -> Figures:
    """The figures that a client printed last: it has read every list, and stopped what it asked for."""
    figures: Figures = json.loads(text.splitlines()[-1])
    lists = sum("get" in one and one["get"]["operationId"].endswith("_list") for one in document["paths"].values())
    demand(figures["lists"] == lists, f"{lists} lists are described", figures)
    demand(figures["rows"] > lists, "lists are empty", figures)
    demand(figures["state"] == "cancelled", "what was asked for is not cancelled", figures)
    return figures


def in_python(site: str, document: dict[str, Any]) -> Figures:
    python_tools()
    (FOLDER / "python.yaml").write_text("package_name_override: made_client\n")
    words = ("--path", "schema.json", "--output-path", "python", "--config", "python.yaml", "--overwrite")
    warnings = said("openapi-python-client", "generate", *words).count("WARNING")
    (FOLDER / "python" / "read.py").write_text(READ_IN_PYTHON)
    said(PYTHON / "python", "-m", "compileall", "-q", "made_client", folder=FOLDER / "python")
    printed = said(PYTHON / "python", "read.py", site, str(secrets.randbelow(2**31)), folder=FOLDER / "python")
    return {**judged(printed, document), "warnings": warnings}


def in_typescript(site: str, document: dict[str, Any]) -> Figures:
    if not (FOLDER / "node_modules" / "openapi-typescript").exists():
        (FOLDER / "package.json").write_text('{"private": true}')
        said("npm", "install", "--silent", *NPM)
    said("openapi-typescript", "schema.json", "-o", "schema.d.ts")
    paths = [path for path, one in document["paths"].items() if "get" in one]
    lists = [path for path in paths if document["paths"][path]["get"]["operationId"].endswith("_list")]
    reading = "\n".join(
        f'  {{ const {{ data }} = await client.GET("{path}"); lists++; rows += data!.results.length; }}'
        for path in lists
    )
    (FOLDER / "read.ts").write_text(READ_IN_TYPESCRIPT.replace("LISTS", reading))
    said("tsc", "--strict", "--target", "es2022", "--module", "commonjs", "--moduleResolution", "node", "read.ts")
    return judged(said("node", "read.js", site, str(secrets.randbelow(2**31))), document)


def in_java(site: str, document: dict[str, Any]) -> Figures:
    """Years in addresses are given to it as numbers only: it has no union of a number and the empty text."""
    python_tools()
    plain = json.loads(json.dumps(document))
    for operations in plain["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                parameter["schema"] = parameter["schema"].get("anyOf", [parameter["schema"]])[0]
    (FOLDER / "plain.json").write_text(json.dumps(plain))
    said("rm", "-rf", "java", "classes")
    said(
        "openapi-generator-cli", "generate", "-g", "java", "--library", "native", "-i", "plain.json", "-o", "java",
        "--additional-properties", "openApiNullable=false,supportUrlQuery=false",
        "--schema-mappings", ",".join(f"{name}=java.lang.Object" for name in ANY),
        "--model-name-mappings", "Date=RecordDate",
    )  # fmt: skip
    made = FOLDER / "java" / "src" / "main" / "java"
    (made / "Main.java").write_text(READ_IN_JAVA)
    (made / "Generated.java").write_text(GENERATED)
    (jar,) = (FOLDER / "tools").glob("lib/*/site-packages/openapi_generator_cli/openapi-generator.jar")
    said("javac", "-nowarn", "-d", "classes", "-cp", jar, *made.rglob("*.java"))
    apis = ",".join(file.stem for file in made.rglob("api/*Api.java"))
    path = f"{jar}{os.pathsep}classes"
    return judged(said("java", "-cp", path, "Main", site, str(secrets.randbelow(2**31)), apis), document)


PROOFS: dict[str, Callable[[str, dict[str, Any]], Figures]] = {
    "python": in_python, "typescript": in_typescript, "java": in_java,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *PROOFS], default=[])
    parser.add_argument("--at", help="the address of a site that runs")
    given = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with contextlib.nullcontext(given.at.rstrip("/")) if given.at else own_site() as site:
        with urlopen(f"{site}/api/schema/?format=json") as answer:  # an address that was typed, or of this machine
            document = json.load(answer)
        (FOLDER / "schema.json").write_text(json.dumps(document))
        names = given.names or PROOFS
        answers = {name: outcome(lambda _, name=name: PROOFS[name](site, document), None) for name in names}
    sys.exit(report(answers))


@contextlib.contextmanager
def own_site() -> Iterator[str]:
    """The address of a site with the shipped records, which ends with the block. Games are taken in, and not played."""
    os.environ.setdefault("KERNEL_CACHE_DIR", str(ROOT / "var" / "kernels"))
    with tempfile.TemporaryDirectory(prefix="proof-", ignore_cleanup_errors=True) as folder:
        one = Installation(Path(folder), f"sqlite:///{folder}/db.sqlite3")
        try:
            one.start_broker()
            one.load()
            yield f"http://127.0.0.1:{one.start_site()}"
        finally:
            one.stop()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))  # its site ends with it
    main()
