/**
 * Confusable characters, each over the one that stands for both: an I and a one over an l, letters of phonetic alphabets over their
 * origins, Katakana over the characters they resemble.
 */
export const alike = {
  from: 'I1|ǀƖʟ0〇ɑᴀʙᴄᴅᴇꜰɡɢʜıɩɪᴊᴋᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢーᅳニロカタトエハオヘベペリ ·-',
  to: 'llllllooaabcdefgghiiijkmnoprstuvwyz一一二口力夕卜工八才へべぺり_._',
} as const

const folded = new Map([...alike.from].map((one, at) => [one, [...alike.to][at] ?? one]))

// Keys are in lower case.
const unfolded = new Map<string, string[]>()
for (const [one, into] of folded) unfolded.set(into, [...(unfolded.get(into) ?? []), one.toLowerCase()])

/** The confusable form of a name: two names with the same form cannot be told apart in passing. */
export function lookOf(name: string): string {
  return Array.from(name.normalize('NFKC').trim(), (one) => folded.get(one) ?? one)
    .join('')
    .toLowerCase()
}

/** The characters that may stand at each place in the key of a name with this form. */
export function spellings(look: string): string[][] {
  return Array.from(look, (one) => [...new Set([one, ...(unfolded.get(one) ?? [])])])
}

/** The readings of a name that imitates another with lookalikes, as an impostor of staff would type it. */
export function readings(name: string): string[] {
  const look = lookOf(name)
  return [look, look.replaceAll('l', 'i'), lookOf(name.replaceAll('1', 'i').replaceAll('I', 'i'))]
}
