// Colours for blocks of OpenCL C: highlight.js knows C, and not the words that OpenCL adds to it.
(() => {
  const spaces = "global local constant private generic __global __local __constant __private __generic";
  const words = "kernel __kernel read_only write_only read_write pipe " + spaces;
  const scalars = "half bool size_t ptrdiff_t uchar ushort uint ulong event_t sampler_t";
  const vectors = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"]
    .flatMap((name) => [2, 3, 4, 8, 16].map((n) => name + n));
  const c = hljs.getLanguage("c");
  hljs.registerLanguage("opencl", () => {
    const language = c.rawDefinition(hljs);
    const keywords = language.keywords;
    const add = (old, more) => (Array.isArray(old) ? old.concat(more) : old + " " + more.join(" "));
    keywords.keyword = add(keywords.keyword, words.split(" "));
    const types = scalars.split(" ").concat(vectors);
    if (keywords.type) keywords.type = add(keywords.type, types);
    else keywords.built_in = add(keywords.built_in || "", types);
    return language;
  });
  for (const block of document.querySelectorAll("code.language-opencl")) {
    block.textContent = block.textContent;
    block.classList.remove("hljs");
    hljs.highlightBlock(block);
  }
})();
