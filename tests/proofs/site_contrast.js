// What axe leaves open: the letters of an element against all that is painted under them, at three places of each line.
// Answers what is wrong in words, or "" if the contrast suffices. The window must show the whole page.
window.contrast = (element) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].map((one, place) => (place < 3 ? one : one / 255));
  };
  const over = (above, below) => [0, 1, 2].map((place) => above[place] * above[3] + below[place] * (1 - above[3])).concat(1);
  const light = (colour) => colour.slice(0, 3).map((one) => one / 255)
    .map((one) => (one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4))
    .reduce((sum, one, place) => sum + one * [.2126, .7152, .0722][place], 0);
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((first, second) => first - second);
    return (high + .05) / (low + .05);
  };
  const faded = (colour, share) => [...colour.slice(0, 3), colour[3] * share];
  const painted = (one) => {
    const style = getComputedStyle(one);
    if (one instanceof SVGElement && !(one instanceof SVGSVGElement)) {
      if (one instanceof SVGTextContentElement || style.fill === "none") return [0, 0, 0, 0];
      return style.fill.startsWith("url") ? null : faded(rgba(style.fill), Number(style.fillOpacity));
    }
    return style.backgroundImage === "none" ? rgba(style.backgroundColor) : null;
  };
  const under = (x, y) => {
    const layers = [];
    for (const one of document.elementsFromPoint(x, y)) {
      const layer = painted(one);
      if (layer === null) return null;
      layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reduceRight((below, above) => over(above, below), rgba("Canvas"));
  };

  const style = getComputedStyle(element);
  const isDrawn = element instanceof SVGElement;
  const ink = isDrawn ? faded(rgba(style.fill), Number(style.fillOpacity)) : rgba(style.color);
  const frame = element.getBoundingClientRect();
  const scale = isDrawn ? frame.height / element.getBBox().height : 1;
  const letters = parseFloat(style.fontSize) * scale;
  const needed = letters >= 24 || (letters >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), lines = [];
  while (texts.nextNode()) {  // the letters alone: a sample of a colour among them is none
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    if (texts.currentNode.data.trim()) lines.push(...range.getClientRects());
  }
  for (const line of lines) {
    for (const share of [.1, .5, .9]) {
      const below = under(line.left + line.width * share, line.top + line.height / 2);
      if (below === null) return "it stands on a picture";
      const found = ratio(over(ink, below), below);
      if (found < needed) return `${found.toFixed(2)} of ${needed}`;
    }
  }
  return "";
};
