export const deepest = 64

const mayName = /__proto__|\\u00/i

/**
 * Reads JSON, but refuses what is nested deeper than any input of ours before it costs anything: building a million levels takes long. Refuses
 * `__proto__` too, which schemas pass over, so that what it stands in looks emptier than it is.
 */
export function parseJson(text: string): unknown {
  if (depthOf(text) > deepest) throw new SyntaxError('Nested too deep')
  return mayName.test(text) ? JSON.parse(text, unlessProto) : JSON.parse(text)
}

function unlessProto(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('No name of ours')
  return value
}

function depthOf(text: string): number {
  let [depth, most, isQuoted] = [0, 0, false]
  for (let at = 0; at < text.length && most <= deepest; at++) {
    const char = text[at]
    if (isQuoted && char === '\\') at++
    else if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && (char === '[' || char === '{')) most = Math.max(most, ++depth)
    else if (!isQuoted && (char === ']' || char === '}')) depth--
  }
  return most
}
