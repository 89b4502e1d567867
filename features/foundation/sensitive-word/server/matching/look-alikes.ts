/** Latin look-alikes of other alphabets; upper case separately, since its look-alikes differ: н is no N. */
const likeLatin = [
  ['АаΑαɑᴀ', 'a'],
  ['ВвЬьΒβʙ', 'b'],
  ['СсᴄϹϲ', 'c'],
  ['ԁᴅđĐ', 'd'],
  ['ЕеΕεᴇєЄ', 'e'],
  ['ꜰƒ', 'f'],
  ['ɡɢԍց', 'g'],
  ['НнΗһʜհħĦ', 'h'],
  ['ІіΙιɩıɪӀӏ', 'i'],
  ['ЈјᴊϳͿ', 'j'],
  ['КкΚκᴋ', 'k'],
  ['ʟłŁ', 'l'],
  ['МмΜᴍ', 'm'],
  ['ΝηɴПпո', 'n'],
  ['ОоΟοᴏօøØσ', 'o'],
  ['РрΡρᴘ', 'p'],
  ['ԛ', 'q'],
  ['ʀгГ', 'r'],
  ['Ѕѕꜱς', 's'],
  ['ТтΤτᴛŧŦ', 't'],
  ['υμᴜսц', 'u'],
  ['νᴠѵѴ', 'v'],
  ['ԝᴡωш', 'w'],
  ['ХхΧχ', 'x'],
  ['УуΥγʏ', 'y'],
  ['Ζζᴢ', 'z'],
  ['ß', 'ss'],
  ['æÆ', 'ae'],
  ['œŒ', 'oe'],
] as const

export const latin = new Map(likeLatin.flatMap(([letters, as]) => [...letters].map((letter): [string, string] => [letter, as])))

/** Letters in white on black, and regional indicators, which no normal form maps to letters. */
export function boxedLetters(code: number): string | null {
  const start = [0x1f150, 0x1f170, 0x1f1e6].find((first) => code >= first && code < first + 26)
  return start === undefined ? null : String.fromCharCode(97 + code - start)
}

/** Signs that stand for a letter among letters; some stand for either of two. */
export const leet = new Map([
  ['0', 'oo'],
  ['1', 'il'],
  ['3', 'ee'],
  ['4', 'aa'],
  ['5', 'ss'],
  ['7', 'tt'],
  ['8', 'bb'],
  ['@', 'aa'],
  ['$', 'ss'],
  ['€', 'ee'],
  ['!', 'il'],
  ['|', 'li'],
])

/** Signs that look like one that makes a word and are no width of it: C♯, 100٪. */
const likeSigns = new Map([
  ['➕', '+'],
  ['✚', '+'],
  ['♯', '#'],
  ['٪', '%'],
])

/** A sign without its width, size and look-alikes. */
export function plainSign(character: string): string {
  return likeSigns.get(character) ?? character.normalize('NFKC')
}
