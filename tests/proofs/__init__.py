"""Standing proofs: what takes too long for tests, and when it is run.

`make proof-NAME`, or `python -m tests.proofs.NAME` with words of its own.

Before each release:  site (every page in a browser), operation (deaths, hostile input, readers, two versions at once),
                      edition (what ships, played again by sample), large_catalogue (100,000 records, a large dump),
                      schema (the API against its description)
When the engine or a player changes:  engine, speed, solving, play
When statistics, claims or studies change:  readings, studies, wear (planted truths, symmetrical games, traffic)
When the finding of anchors changes:  anchors (100,000 generated edits)
When pages change:  site, or parts of it at a site that runs; pictures takes those that the documentation shows
"""
