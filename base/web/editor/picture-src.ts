type Ask = (file: string) => Promise<string | null>

const brought = new Map<string, string>()
let asking: Promise<Ask> | null = null

/** Remembers the address of a picture just uploaded, before any post shows it. */
export function rememberSrc(file: string, src: string): void {
  brought.set(file, src)
}

export function srcOf(file: string): string {
  return brought.get(file) ?? `/file/${file}`
}

/** Members who may see more than the public request addresses first, which avoids failed picture loads. */
export function askForSrc(coming: Promise<Ask>): void {
  asking = coming
}

/** Shows a draft's picture, which only its author can see. */
export async function showSrc(image: HTMLImageElement, file: string): Promise<void> {
  const src = brought.has(file) || !asking ? null : await asking.then((ask) => ask(file)).catch(() => null)
  // The element may show another picture by now.
  if (image.dataset['file'] === file) image.src = src ?? srcOf(file)
}
