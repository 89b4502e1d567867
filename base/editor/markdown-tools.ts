/** The replacement a Markdown tool makes, and the selection afterwards. */
export type Change = { from: number; to: number; text: string; select: [number, number] }

type Tool = (text: string, from: number, to: number) => Change

/** Each tool adds its syntax around the selection, or removes it if present. */
export const markdownTools = {
  bold: wrapWith('**'),
  italic: wrapWith('*'),
  strike: wrapWith('~~'),
  code: wrapWith('`'),
  heading: prefixWith(() => '## '),
  bulletList: prefixWith(() => '- '),
  orderedList: prefixWith((line) => `${line + 1}. `),
  quote: prefixWith(() => '> '),
  codeBlock: fence,
  link,
} satisfies Record<string, Tool>

function wrapWith(sign: string): Tool {
  return (text, from, to) => {
    const isThere = text.slice(0, from).endsWith(sign) && text.startsWith(sign, to)
    const its = text.slice(from, to)
    if (isThere) {
      const start = from - sign.length
      return { from: start, to: to + sign.length, text: its, select: [start, start + its.length] }
    }
    return { from, to, text: sign + its + sign, select: [from + sign.length, to + sign.length] }
  }
}

function prefixWith(signOf: (line: number) => string): Tool {
  return (text, from, to) => {
    const lines = linesAround(text, from, to)
    const written = lines.text.split('\n')
    const areThere = written.every((line, place) => line.startsWith(signOf(place)))
    const changed = written.map((line, place) => (areThere ? line.slice(signOf(place).length) : signOf(place) + line)).join('\n')
    // An empty selection keeps the cursor at its place in the line.
    const end = lines.from + changed.length
    return { from: lines.from, to: lines.to, text: changed, select: from === to ? [end, end] : [lines.from, end] }
  }
}

function fence(text: string, from: number, to: number): Change {
  const lines = linesAround(text, from, to)
  const start = lines.from + 4
  return { from: lines.from, to: lines.to, text: `\`\`\`\n${lines.text}\n\`\`\``, select: [start, start + lines.text.length] }
}

const addressStart = 'https://'

function link(text: string, from: number, to: number): Change {
  const label = text.slice(from, to)
  const start = from + label.length + 3
  return { from, to, text: `[${label}](${addressStart})`, select: label ? [start, start + addressStart.length] : [from + 1, from + 1] }
}

function linesAround(text: string, from: number, to: number): { from: number; to: number; text: string } {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const next = text.indexOf('\n', to)
  const end = next < 0 ? text.length : next
  return { from: start, to: end, text: text.slice(start, end) }
}
