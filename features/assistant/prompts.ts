/** The prompts that staff may write: of a chat, and what is added where a thread is open. */
export const promptNames = ['chat', 'page'] as const
export type PromptName = (typeof promptNames)[number]

/** The placeholders. */
export const placeholders = {
  chat: ['site', 'today'],
  page: ['site', 'today', 'topicId'],
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
