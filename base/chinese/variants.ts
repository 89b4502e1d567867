import hongKong from 'opencc-js/dict/HKVariantsRev'
import traditional from 'opencc-js/dict/TSCharacters'
import taiwan from 'opencc-js/dict/TWVariantsRev'

/** Traditional characters with their simplified forms. */
export const simplified: ReadonlyMap<string, string> = new Map(pairsOf(traditional))

/**
 * Each character that is another form of one in simplified text: traditional ones, and the variants of Taiwan and Hong Kong. For comparing
 * alone: 显著 becomes 显着 on both sides.
 */
export const sameCharacter: ReadonlyMap<string, string> = mergeVariants()

/** A text with one form of each character; the length stays the same. */
export function withoutVariants(text: string): string {
  return Array.from(text, (one) => sameCharacter.get(one) ?? one).join('')
}

function mergeVariants(): Map<string, string> {
  const usual = new Set(simplified.values())
  const formOf = (one: string) => simplified.get(one) ?? one
  const merged = new Map<string, string>()
  for (const [variant = '', standard = ''] of [...pairsOf(taiwan), ...pairsOf(hongKong)]) {
    const [one, other] = [formOf(variant), formOf(standard)]
    if (one === other) continue
    // 么 and 幺: the one that simplified text is full of.
    if (usual.has(one) && !usual.has(other)) merged.set(other, one)
    else merged.set(one, other)
  }
  for (const [from, to] of simplified) merged.set(from, merged.get(to) ?? to)
  return merged
}

function pairsOf(pairs: string): [string, string][] {
  return pairs.split('|').flatMap((pair): [string, string][] => {
    const [from = '', to = ''] = pair.split(' ')
    return from && to && from !== to ? [[from, to]] : []
  })
}
