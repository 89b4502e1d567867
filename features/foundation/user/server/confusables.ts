/**
 * Confusable characters, each over the one that stands for both: an I and a one over an l, letters of phonetic alphabets over their
 * origins, Katakana over the characters they resemble.
 */
export const confusables = {
  from: 'I1|ǀƖʟ0〇ɑᴀʙᴄᴅᴇꜰɡɢʜıɩɪᴊᴋᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢーᅳニロカタトエハオヘベペリ ·-',
  to: 'llllllooaabcdefgghiiijkmnoprstuvwyz一一二口力夕卜工八才へべぺり_._',
} as const

const skeletonOfCharacter = new Map([...confusables.from].map((one, at) => [one, [...confusables.to][at] ?? one]))

// Keys are in lower case.
const confusablesOf = new Map<string, string[]>()
for (const [one, into] of skeletonOfCharacter) confusablesOf.set(into, [...(confusablesOf.get(into) ?? []), one.toLowerCase()])

/** The confusable form of a name: two names with the same form cannot be told apart in passing. */
export function skeletonOf(name: string): string {
  return Array.from(name.normalize('NFKC').trim(), (one) => skeletonOfCharacter.get(one) ?? one)
    .join('')
    .toLowerCase()
}

/** The characters that may stand at each place in the key of a name with this form. */
export function candidates(skeleton: string): string[][] {
  return Array.from(skeleton, (one) => [...new Set([one, ...(confusablesOf.get(one) ?? [])])])
}

/** The readings of a name that imitates another with lookalikes, as an impostor of staff would type it. */
export function readings(name: string): string[] {
  const skeleton = skeletonOf(name)
  return [skeleton, skeleton.replaceAll('l', 'i'), skeletonOf(name.replaceAll('1', 'i').replaceAll('I', 'i'))]
}
