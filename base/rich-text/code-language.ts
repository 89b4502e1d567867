/** The languages of code blocks: the class that marks one, its name, and the grammar that colours it. Section 9 of the specification. */
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

const otherNames: Record<string, CodeLanguage> = { js: 'javascript', pl: 'perl', py: 'python', rb: 'ruby', bsh: 'bash' }

/** The language for what somebody wrote after a fence; anything unknown is markup. */
export function codeLanguageOf(written: string): CodeLanguage {
  const name = written.trim().toLowerCase()
  if (Object.hasOwn(otherNames, name)) return otherNames[name] ?? 'markup'
  return Object.hasOwn(codeLanguages, name) ? (name as CodeLanguage) : 'markup'
}
