/** The codes of the smileys that Discuz! is installed with. */
const smileys: ReadonlyMap<string, string> = new Map([
  [':)', '🙂'],
  [':(', '🙁'],
  [':D', '😀'],
  [":'(", '😢'],
  [':@', '😠'],
  [':o', '😮'],
  [':P', '😛'],
  [':$', '😳'],
  [';P', '🤭'],
  [':L', '😓'],
  [':Q', '😫'],
  [':lol', '😆'],
  [':loveliness:', '🥰'],
  [':funk:', '😱'],
  [':curse:', '🤬'],
  [':dizzy:', '😵'],
  [':shutup:', '🤐'],
  [':sleepy:', '😴'],
  [':hug:', '🤗'],
  [':victory:', '✌️'],
  [':time:', '⏰'],
  [':kiss:', '😘'],
  [':handshake', '🤝'],
  [':call:', '📞'],
])

export const discuzSmileyCodes: readonly string[] = [...smileys.keys()]

/** The emoji for the code of a smiley, or null for one that a board added. */
export function discuzSmiley(code: string): string | null {
  return smileys.get(code) ?? null
}
