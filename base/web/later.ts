let bringWords: () => Promise<unknown> = async () => undefined

/** Says where the words come from that reading does not need. */
export function wordsComeFrom(bring: () => Promise<unknown>): void {
  bringWords = bring
}

/** What reading does not need comes when it is used: a part of the program, and the words it speaks. */
export async function later<Part>(part: Promise<Part>): Promise<Part> {
  const [come] = await Promise.all([part, bringWords()])
  return come
}
