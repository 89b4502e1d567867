/** The prompts that staff may write: of a chat, what is added where a thread is open, and those of the jobs that make a text of another. */
export const promptNames = ['chat', 'page', 'summary', 'translation', 'improve', 'suggest'] as const
export type PromptName = (typeof promptNames)[number]

/** The placeholders. */
export const placeholders = {
  chat: ['site', 'today'],
  page: ['site', 'today', 'topicId'],
  // What is made is kept by all that a model was told, so nothing that changes by itself is filled in.
  summary: ['site'],
  translation: ['site'],
  improve: ['site'],
  suggest: ['site'],
} as const satisfies Record<PromptName, readonly string[]>

export const longestPromptText = 8_000

/** The names in braces that a prompt has no value for. */
export function unknownIn(name: PromptName, text: string): string[] {
  const known: readonly string[] = placeholders[name]
  return [...new Set(namesIn(text))].filter((one) => !known.includes(one))
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\{([\p{L}\p{N}_.-]+)\}/gu)].map(([, name = '']) => name)
}

/** The text with its values. A value that looks like a placeholder is not filled in again. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([\p{L}\p{N}_.-]+)\}/gu, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  )
}
