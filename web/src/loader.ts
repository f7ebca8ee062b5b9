// Unpacks the payload and the script of the page, and runs it.

import { expand } from "./lzma";

const packed = document.getElementById("packed");
const bytes = Uint8Array.from(atob(packed?.textContent ?? ""), (c) => c.charCodeAt(0));
const text = new TextDecoder("gb18030").decode(expand(bytes, Number(packed?.dataset["size"])));
const [payload = "", script = ""] = text.split("\0");
for (const [type, content] of [["application/json", payload], ["", script]] as const) {
  const element = document.createElement("script");
  element.type = type;
  if (type) element.id = "payload";
  element.textContent = content;
  document.body.append(element);
}
