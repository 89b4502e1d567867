export const deepest = 64

/** Reads JSON, but refuses what is nested deeper than any input of ours before it costs anything: building a million levels takes long. */
export function parseJson(text: string): unknown {
  if (depthOf(text) > deepest) throw new SyntaxError('Nested too deep')
  return JSON.parse(text)
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
