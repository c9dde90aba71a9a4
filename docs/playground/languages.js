// Colours of OpenCL C, of SPIR-V as text and of the intermediate representation.

import { StreamLanguage } from "@codemirror/language";
import { clike } from "@codemirror/legacy-modes/mode/clike";

const words = (text) => Object.fromEntries(text.trim().split(/\s+/).map((word) => [word, true]));

const SCALARS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"];
const VECTORS = SCALARS.flatMap((scalar) => ["", 2, 3, 4, 8, 16].map((width) => scalar + width));

const SPACES = words(`
  kernel __kernel global __global local __local constant __constant private __private generic __generic
  read_only __read_only write_only __write_only read_write __read_write
`);

export const openclC = StreamLanguage.define(
  clike({
    name: "opencl-c",
    keywords: {
      ...SPACES,
      ...words(`
        auto break case const continue default do else enum extern for goto if inline register restrict return
        sizeof static struct switch typedef union volatile while __attribute__ pipe
      `),
    },
    types: words(`
      ${VECTORS.join(" ")} void bool signed unsigned size_t ptrdiff_t intptr_t uintptr_t event_t sampler_t
      image1d_t image1d_buffer_t image1d_array_t image2d_t image2d_array_t image2d_depth_t image3d_t
      queue_t clk_event_t ndrange_t reserve_id_t cl_mem_fence_flags memory_order memory_scope
      atomic_int atomic_uint atomic_long atomic_ulong atomic_float atomic_flag
    `),
    blockKeywords: words("case do else for if switch while struct union enum"),
    defKeywords: words("struct union enum"),
    atoms: words("true false NULL NAN INFINITY CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE M_PI M_PI_F MAXFLOAT"),
    number: /^(?:0x[a-f\d]*\.?[a-f\d]*(?:p[-+]?\d+)?|\d*\.?\d+(?:e[-+]?\d+)?|\d+\.)[ulfh]*/i,
    typeFirstDefinitions: true,
    hooks: {
      "#": (stream, state) => {
        if (!state.startOfLine) return false;
        stream.skipToEnd();
        return "meta";
      },
    },
  }),
);

/// A language of single lines: the first pattern that matches decides.
function lines(name, comment, patterns) {
  return StreamLanguage.define({
    name,
    languageData: { commentTokens: { line: comment } },
    token(stream) {
      if (stream.eatSpace()) return null;
      for (const [pattern, style] of patterns) {
        if (stream.match(pattern)) return style;
      }
      stream.next();
      return null;
    },
  });
}

const STRING = [/^"(?:[^"\\]|\\.)*"/, "string"];
const NUMBER = [/^-?(?:0x[\da-f.]+(?:p[-+]?\d+)?|\d[\d.]*(?:e[-+]?\d+)?)\b/i, "number"];

export const spirv = lines("spirv", ";", [
  [/^;.*/, "comment"],
  STRING,
  [/^%[\w.]+(?=\s*=)/, "def"],
  [/^%[\w.]+/, "variableName"],
  [/^OpType\w+/, "typeName"],
  [/^Op\w+/, "keyword"],
  NUMBER,
  [/^\w+/, "atom"],
]);

export const ir = lines("ir", ";", [
  [/^;.*/, "comment"],
  STRING,
  [/^[vb]\d+(?=\s*[:(])/, "def"],
  [/^[vbcgf]\d+\b/, "variableName"],
  [/^(?:i\d+|f(?:16|32|64)|bool|void|ptr|struct)(?:x\d+)?\b/, "typeName"],
  NUMBER,
  [/^\w[\w.]*/, "keyword"],
]);

export const json = lines("json", "//", [
  [/^"(?:[^"\\]|\\.)*"(?=\s*:)/, "propertyName"],
  STRING,
  NUMBER,
  [/^(?:true|false|null)\b/, "atom"],
]);
