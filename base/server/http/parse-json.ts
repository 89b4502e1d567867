import type { BodyLimits } from '#base/server/http/body-limits.ts'

export const maxDepth = 64

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Parses JSON but refuses too deep or too large input beforehand: building a million lists takes long. */
export function parseJson(text: string, limits: Pick<BodyLimits, 'maxNames' | 'maxNodes'>): unknown {
  if (!isWithinLimits(text, limits)) throw new SyntaxError('Nested too deep, or too much of it')
  return JSON.parse(text)
}

// Each value is the first in its list or object, or follows a comma.
function isWithinLimits(text: string, { maxNames, maxNodes }: Pick<BodyLimits, 'maxNames' | 'maxNodes'>): boolean {
  let [depth, nodes, isQuoted] = [0, 1, false]
  // Names left for each open object.
  const left = [Infinity]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) isQuoted = !isQuoted
    else if (isQuoted) at += code === backslash ? 1 : 0
    else if (code === openList || code === openObject) {
      left[++depth] = code === openObject ? maxNames : Infinity
      if (depth > maxDepth || ++nodes > maxNodes) return false
    } else if (code === closeList || code === closeObject) depth = Math.max(0, depth - 1)
    else if (code === comma) {
      left[depth] = (left[depth] ?? 0) - 1
      if (++nodes > maxNodes || left[depth] === 0) return false
    }
  }
  return true
}
