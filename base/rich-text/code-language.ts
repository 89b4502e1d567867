/** The languages of code blocks: CSS class, display name and grammar. Section 9 of the specification. */
export const codeLanguages = {
  markup: { name: 'Text', grammar: null },
  xml: { name: 'XML', grammar: 'xml' },
  css: { name: 'CSS', grammar: 'css' },
  html: { name: 'HTML', grammar: 'xml' },
  javascript: { name: 'JavaScript', grammar: 'javascript' },
  java: { name: 'Java', grammar: 'java' },
  perl: { name: 'Perl', grammar: 'perl' },
  python: { name: 'Python', grammar: 'python' },
  ruby: { name: 'Ruby', grammar: 'ruby' },
  go: { name: 'Go', grammar: 'go' },
  cpp: { name: 'C++', grammar: 'cpp' },
  cs: { name: 'C#', grammar: 'csharp' },
  bash: { name: 'Shell', grammar: 'bash' },
} as const

export type CodeLanguage = keyof typeof codeLanguages

const aliases: Record<string, CodeLanguage> = { js: 'javascript', pl: 'perl', py: 'python', rb: 'ruby', bsh: 'bash' }

/** The language of a fence's info string; an unknown one is markup. */
export function codeLanguageOf(written: string): CodeLanguage {
  const name = written.trim().toLowerCase()
  if (Object.hasOwn(aliases, name)) return aliases[name] ?? 'markup'
  return Object.hasOwn(codeLanguages, name) ? (name as CodeLanguage) : 'markup'
}

export const languageName = /^[\p{L}\p{N}_+#.-]{1,30}$/u

/** The language of a code block: one of the table, or else the name as given, so that it is not lost. */
export function normalizeLanguage(written: string): string {
  const name = languageWord(written) || 'markup'
  const known = codeLanguageOf(name)
  return known === 'markup' ? name : known
}

/** The word that names a language in a longer info string: `{.r}`, `sql{1,3}`, `ini:file`. */
export function languageWord(written: string): string {
  return /[\p{L}\p{N}_+#.-]{1,30}/u.exec(written.trim().replace(/^\{\.?/, ''))?.[0] ?? ''
}

/** The display name of a language; null if it has none. */
export function languageDisplayName(language: string): string | null {
  const known = codeLanguageOf(language)
  if (known !== 'markup') return codeLanguages[known].name
  return language === 'markup' ? null : language
}
