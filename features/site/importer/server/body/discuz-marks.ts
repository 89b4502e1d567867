/** A tag that decides who reads, in a message of Discuz!. Found in the text itself, before HTML and other tags, as Discuz! does. */
export type RegionMark = { name: 'code' | 'hide' | 'free'; isEnd: boolean; argument: string; from: number; to: number }
export type TextRange = { from: number; to: number }

/** Its tags of hidden, free and protected text, in their order. */
export function regionMarks(message: string): RegionMark[] {
  return [...message.matchAll(/\[(\/?)(code|hide|free)(=[^\][\r\n]*)?\]/gi)].flatMap(
    ({ 0: all, 1: slash, 2: name = '', 3: argument = '', index }) => {
      const isEnd = slash === '/'
      const mark = { name: name.toLowerCase() as RegionMark['name'], isEnd, argument, from: index, to: index + all.length }
      return argument === '' || (mark.name === 'hide' && !isEnd) ? [mark] : []
    },
  )
}

/** The pairs of one name, each from a begin to the next end, with something between. */
export function rangesOf(marks: readonly RegionMark[], name: RegionMark['name']): (TextRange & { begin: RegionMark; end: RegionMark })[] {
  const ranges: (TextRange & { begin: RegionMark; end: RegionMark })[] = []
  let begin: RegionMark | null = null
  for (const mark of marks) {
    if (mark.name !== name) continue
    if (!mark.isEnd) begin ??= mark
    else if (begin && mark.from > begin.to) {
      ranges.push({ begin, end: mark, from: begin.from, to: mark.to })
      begin = null
    }
  }
  return ranges
}

/** The marks outside of these ranges, which are in order and apart. */
export function outside(marks: readonly RegionMark[], ranges: readonly TextRange[]): RegionMark[] {
  let at = 0
  return marks.filter((mark) => {
    while ((ranges[at]?.to ?? Infinity) <= mark.from) at++
    return (ranges[at]?.from ?? Infinity) > mark.from
  })
}

/**
 * A message without its passwords, and the first of them: each stands on one line, anywhere, also in code and where tags are off.
 * See discuzcode() in the public source of Discuz! X3.5.
 */
export function withoutPasswords(message: string): { text: string; password: string | null } {
  const kept: string[] = []
  let [at, lineEnd] = [0, -1]
  let begin: TextRange | null = null
  let password: string | null = null
  for (const { 0: all, 1: slash, index } of message.matchAll(/\[(\/?)password\]/gi)) {
    if (begin && index > lineEnd) begin = null
    if (slash === '') {
      if (index > lineEnd) lineEnd = lineEndAfter(message, index)
      begin ??= { from: index, to: index + all.length }
    } else if (begin && index > begin.to) {
      password ??= message.slice(begin.to, index)
      kept.push(message.slice(at, begin.from))
      at = index + all.length
      begin = null
    }
  }
  return { text: kept.join('') + message.slice(at), password }
}

function lineEndAfter(message: string, from: number): number {
  const end = message.indexOf('\n', from)
  return end < 0 ? message.length : end
}
