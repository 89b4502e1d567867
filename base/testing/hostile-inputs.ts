import fc from 'fast-check'

const characters = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\u00a0',
  '\u200b',
  '\u202e',
  '\0',
  'a',
  '7',
  '茶',
  'é',
  'e\u0301',
  '👩‍👩‍👧',
  '\u3164',
  '\u{e0100}',
  ...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
]
const words = [
  'a ',
  ' a',
  'a\n',
  'a  \n',
  '\n\n',
  'a\n\n',
  '*a ',
  'a* ',
  '*a* ',
  '**a ',
  'a** ',
  '_a ',
  'a_ ',
  '~~a ',
  'a~~ ',
  '**，**茶',
  '`a',
  '``a```',

  '[a](',
  '[a](b',
  '[a](<b',
  '[a](b "',
  '[a][',
  '[a]: b\n',
  '[a]{',
  '[a]{bold}',
  '{bold}',
  '![',
  '](',
  '](a)',
  '@[a](member:1) ',
  ':::hidden points=5\n',
  ':::\n',
  ':::hidden password="a" #b\n\na\n\n:::\n\n',
  '> :::hidden comment\n',
  '：：：a',
  '@[',
  '@a ',
  '<a',
  '<br>',
  '</',
  '<!--',
  '<a@b.c>',
  '<http://a>',
  'http://',
  'https://a.cn ',
  '&amp;',
  '&#32;',
  '&a',
  '\\[',
  '\\\\',

  '> ',
  '> a\n',
  '- ',
  '- a\n',
  '1. a\n',
  '- [ ] a\n',
  '    a\n',
  '# a\n',
  'a\n===\n',
  '---\n',
  '```\n',
  '|a',
  '|-',
  '|a|\n|-|\n',
  'a|b\n-|-\n',
]

const piece = fc.oneof(fc.constantFrom(...characters), fc.constantFrom(...words))

/** A few characters whose repetition is expensive for a naive scanner. */
export const hostilePiece = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''))

/** Growing inputs that are not repetitions. */
const growingInputs: Record<string, (length: number) => string> = {
  'begun, then ended': (length) => '*a '.repeat(length / 6) + 'a* '.repeat(length / 6),
  'begun by three, ended by three': (length) => '*a _b ~~c '.repeat(length / 20) + 'a* c~~ b_ '.repeat(length / 20),
  'brackets in brackets': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'links in links': (length) => '['.repeat(length / 5) + '](a)'.repeat(length / 5),
  'spans in spans': (length) => '[a'.repeat(length / 9) + ']{bold}'.repeat(length / 9),
  'brackets before one span': (length) => `${'[a'.repeat(length / 2)}]{bold}`,
  'quotes of which the rest leaves out the signs': (length) => `${'> '.repeat(38)}a\n${'b\n'.repeat(length / 2)}`,
  'lists of which the rest leaves out the space': (length) => `${'- '.repeat(38)}a\n${'b\n'.repeat(length / 2)}`,
  'deep quotes': (length) => `${'> '.repeat(60)}a\n`.repeat(length / 122),
  'deep lists': (length) => `${'- '.repeat(30)}a\n`.repeat(length / 62),
  'ever deeper lists': (length) => Array.from({ length: Math.sqrt(length) }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join(''),
  'a wide table': (length) => `${'|a'.repeat(length / 6)}|\n${'|-'.repeat(length / 6)}|\n${'|b'.repeat(length / 6)}|\n`,
  'a table of short rows': (length) => `${'|a'.repeat(90)}|\n${'|-'.repeat(90)}|\n${'a\n'.repeat(length / 2)}`,
  'a tall table': (length) => `|a|b|\n|-|-|\n${'a\n'.repeat(length / 2)}`,
  'ever longer backticks': (length) => Array.from({ length: Math.sqrt(2 * length) }, (_, count) => '`'.repeat(count)).join(' '),
  'a long line, then spaces, then a word': (length) => `a${' '.repeat(length)}a`,
  'a word, then what ends it': (length) => `${'a'.repeat(length)}!`,
}

/** Inputs of any length that could stall a parser. */
export const hostileInputs: readonly (readonly [name: string, grow: (length: number) => string])[] = [
  ...[...characters, ...words].map((one) => [JSON.stringify(one), (length: number) => repeated(one, length)] as const),
  ...Object.entries(growingInputs),
]

export function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}
