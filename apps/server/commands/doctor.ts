import { readFileSync } from 'node:fs'
import type { Command } from '#apps/server/commands/command.ts'
import type { Finding } from '#apps/server/doctor/finding.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { formatText } from '#base/server/words.ts'

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary:
    'Checks the address, the machine, the database and the work of this forum, best while it runs, and says what is wrong, with its cure.',
  argumentCount: { min: 0, max: 0 },
  async run({ config }) {
    // Other commands need less of the program.
    const [{ groundOutside }, { examine }] = await Promise.all([
      import('#apps/server/doctor/ground.ts'),
      import('#apps/server/doctor/examine.ts'),
    ])
    const opened = await groundOutside(config)
    try {
      const findings: Finding[] = []
      for await (const finding of examine(opened)) findings.push(finding)
      const report = reportOf(findings)
      // A report of something wrong ends with a status that scripts notice.
      if (findings.some(({ state }) => state === 'bad')) throw new CannotStart(report)
      return report
    } finally {
      await opened.close()
    }
  },
}

const marks = { bad: 'WRONG', warn: 'WARNING', unknown: 'UNKNOWN' } as const

/** One line for each finding that is not well, the worst first, and the number of those that are. */
export function reportOf(findings: readonly Finding[]): string {
  const texts = wordsOfStaff()
  const say = (word: string, values: Finding['values']) => formatText('en', texts[word] ?? word, values)
  const lines = (['bad', 'warn', 'unknown'] as const).flatMap((state) =>
    findings
      .filter((finding) => finding.state === state)
      .map(({ word, values }) => `${marks[state].padEnd(8)} ${say(word, values)} ${say(`${word}Cure`, values)}`.trimEnd()),
  )
  const { length: fine } = findings.filter(({ state }) => state === 'ok')
  return [...lines, say('checksFine', { count: fine })].join('\n')
}

// The texts of the page. The server itself speaks to members only.
function wordsOfStaff(): Record<string, string> {
  const path = new URL('../../../features/site/maintenance/admin/words/en.json', import.meta.url)
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
}
