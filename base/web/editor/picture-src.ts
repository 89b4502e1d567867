type Ask = (file: string) => Promise<string | null>

const brought = new Map<string, string>()
let asking: Promise<Ask> | null = null

/** Where a picture that was just brought can be seen before any post shows it. */
export function rememberSrc(file: string, src: string): void {
  brought.set(file, src)
}

export function srcOf(file: string): string {
  return brought.get(file) ?? `/file/${file}`
}

/** Who may see more than everybody asks for addresses first, instead of finding pictures missing. */
export function askForSrc(coming: Promise<Ask>): void {
  asking = coming
}

/** Shows a picture of a draft that nobody else may see yet. */
export async function showSrc(image: HTMLImageElement, file: string): Promise<void> {
  const src = brought.has(file) || !asking ? null : await asking.then((ask) => ask(file)).catch(() => null)
  // Another picture may have taken its place meanwhile.
  if (image.dataset['file'] === file) image.src = src ?? srcOf(file)
}
