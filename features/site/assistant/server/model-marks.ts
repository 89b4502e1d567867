/** Marks around what models write beside their answers, where no program before us takes it out. */
type Pair = readonly [open: string, close: string]

const thoughts: readonly Pair[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<seed:think>', '</seed:think>'],
  ['<antthinking>', '</antthinking>'],
  ['<scratchpad>', '</scratchpad>'],
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|start_thinking|>', '<|end_thinking|>'],
  ['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
  ['<|channel|>commentary<|message|>', '<|channel|>final<|message|>'],
  ['<|channel>', '<channel|>'],
]

const calls: readonly Pair[] = [
  ['<tool_call>', '</tool_call>'],
  ['<tool_calls>', '</tool_calls>'],
  ['<tool_use>', '</tool_use>'],
  ['<function_call>', '</function_call>'],
  ['<function_calls>', '</function_calls>'],
  ['<invoke name=', '</invoke>'],
  ['<minimax:tool_call>', '</minimax:tool_call>'],
  ['<seed:tool_call>', '</seed:tool_call>'],
  ['<function=', '</function>'],
  ['[tool_calls]', '[/tool_calls]'],
  ['<|tool_call|>', '<|/tool_call|>'],
  ['<|tool_call>', '<tool_call|>'],
  ['<|tool_call_start|>', '<|tool_call_end|>'],
  ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
  ['<|start_action|>', '<|end_action|>'],
  ['<|python_tag|>', '<|eom_id|>'],
  ['<|channel|>commentary to=', '<|call|>'],
  ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
  ['<｜dsml｜function_calls>', '</｜dsml｜function_calls>'],
]

/** Marks that begin a turn, before its answer. */
const beginnings = ['<|im_start|>assistant', '<start_of_turn>model', '<|turn>model', '<|start|>assistant', '<｜assistant｜>']

/** Marks that end a turn. */
const endings = [
  '<|im_end|>',
  '</s>',
  '<eos>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<end_of_turn>',
  '<turn|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|eot|>',
  '<|end|>',
  '<|return|>',
  '<|call|>',
  '<|end_of_turn_token|>',
  '<|end_of_turn|>',
  '<|role_end|>',
  '<｜end▁of▁sentence｜>',
]

const openings = new Map([...thoughts, ...calls])
const ofCalls = new Set(calls.map(([open]) => open))
const ofBeginnings = new Set(beginnings)
const ofEndings = new Set(endings)
const ofThoughts = new Set(thoughts.flat())
// A mark that ends a call says nothing where no call began.
const all = [...new Set([...ofThoughts, ...ofCalls, ...beginnings, ...endings])]
const prefixes = new Set(all.flatMap((mark) => Array.from({ length: mark.length - 1 }, (_, at) => mark.slice(0, at + 1))))
const longest = Math.max(...[...all, ...openings.values()].map((mark) => mark.length))
/** A longer run is no fence of anybody. */
const maxFence = 20
const fence = String.raw`\`{3,${maxFence}}|~{3,${maxFence}}`

const patternOf = (...marks: readonly string[]) => marks.map((mark) => mark.replaceAll(/[|[\]/\\]/g, String.raw`\$&`)).join('|')
const anyMark = new RegExp(`${patternOf(...all)}|${fence}`, 'i')
const closing = new Map([...openings.values()].map((close) => [close, new RegExp(patternOf(close), 'i')]))

type Mark = { kind: 'opens'; close: string; isCall: boolean } | { kind: 'closes' | 'begins' | 'ends' | 'fence' }
export type FoundMark = { at: number; text: string }

/** The first mark in a text; within a thought or a call, only the one that ends it. */
export function nextMark(text: string, close: string | null): FoundMark | null {
  const found = (closing.get(close ?? '') ?? anyMark).exec(text)
  return found && { at: found.index, text: found[0] }
}

export function meaningOf(text: string): Mark {
  const mark = text.toLowerCase()
  const close = openings.get(mark)
  if (close !== undefined) return { kind: 'opens', close, isCall: ofCalls.has(mark) }
  if (ofBeginnings.has(mark)) return { kind: 'begins' }
  if (ofEndings.has(mark)) return { kind: 'ends' }
  return { kind: ofThoughts.has(mark) ? 'closes' : 'fence' }
}

/** The length of the end of a text that may be the beginning of a mark. */
export function heldBack(text: string, close: string | null): number {
  const end = text.slice(-longest).toLowerCase()
  for (let length = Math.min(end.length, longest - 1); length > 0; length--) {
    const last = end.slice(-length)
    if (close === null ? prefixes.has(last) : close.length > length && close.startsWith(last)) return length
  }
  const run = close === null ? (/(?:`+|~+)$/.exec(end)?.[0].length ?? 0) : 0
  return run < maxFence ? run : 0
}
