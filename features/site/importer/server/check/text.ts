import { formatSize } from '#base/size.ts'
import type { Finding, ForumCheck, ImportCheck, KindCheck, Sample } from '#importer/contract.ts'
import { writing } from '#importer/server/check/duration.ts'

/** A check as the operator reads it in the terminal. */
export function checkText(check: ImportCheck): string {
  const sections = [
    headOf(check),
    textsOf(check),
    kindsOf(check),
    creditsOf(check),
    groupsOf(check),
    forumsOf(check),
    ...peopleOf(check),
    needsOf(check),
  ]
  return sections.flatMap((lines) => (lines.length > 0 ? [lines.join('\n')] : [])).join('\n\n')
}

function headOf({ title, program, version, origins, lacksPermissions }: ImportCheck): string[] {
  return [
    `${title} (${program} ${version})${origins.length > 0 ? ` at ${origins.join(', ')}` : ''}`,
    ...(lacksPermissions
      ? [
          '',
          'ATTENTION: nothing here says who may read the forums: the tables of permissions are missing.',
          'NOBODY will read any of them until you open them under Tags. Best is a dump with all tables.',
        ]
      : []),
  ]
}

function textsOf({ texts }: ImportCheck): string[] {
  if (texts.length === 0) return []
  return ['How texts are encoded, by a sample of each column:', ...texts.map((text) => `  ${text.column}: ${encodingOf(text)}`)]
}

function encodingOf({ declared, encoding }: ImportCheck['texts'][number]): string {
  const of = declared === null ? '' : `, in a column of ${declared}`
  if (encoding === null) return `plain ASCII${of}`
  const isRepaired = encoding.endsWith(' in latin1')
  return isRepaired ? `${encoding.replace(/ in latin1$/, '')}, converted once too often: it is repaired` : `${encoding}${of}`
}

function kindsOf({ kinds }: ImportCheck): string[] {
  const there = kinds.filter(({ coming, leftOut }) => coming > 0 || leftOut.length > 0)
  return ['What comes:', ...there.flatMap(kindOf)]
}

function kindOf({ kind, coming, read, isWhole, leftOut, changed }: KindCheck): string[] {
  const number = `${isWhole ? '' : 'about '}${coming.toLocaleString('en')}`
  return [
    `  ${kind.padEnd(14)} ${number.padStart(16)}${isWhole ? '' : `, by the first ${read.toLocaleString('en')} that were read`}`,
    ...leftOut.map((finding) => `      stays: ${findingOf(finding)}`),
    ...changed.map((finding) => `      changes: ${findingOf(finding)}`),
  ]
}

function findingOf({ why, count, samples }: Finding): string {
  return `${count.toLocaleString('en')} ${why}${samples.length > 0 ? `, such as ${samples.map(sampleOf).join(' | ')}` : ''}`
}

function sampleOf({ id, name }: Sample): string {
  return name === null ? id : `${name} (${id})`
}

function creditsOf({ credits }: ImportCheck): string[] {
  if (credits.length === 0) return []
  return [
    'Credits. One becomes points, and one may become the balance, by your choices:',
    ...credits.map(
      ({ id, name, becomesPoints, holders, debtors, total, smallest, largest }) =>
        `  ${name} (${id}): ${total} in all, from ${smallest} to ${largest}, of ${holders} members, ${debtors} below zero${becomesPoints ? '; points, if you choose no other' : ''}`,
    ),
  ]
}

function groupsOf({ groups }: ImportCheck): string[] {
  if (groups.length === 0) return []
  return [
    'Groups, which become roles:',
    ...groups.map(
      ({ id, name, members, rights }) =>
        `  ${name} (${id}): ${members} members, ${rights.length === 0 ? 'no rights' : `with the rights ${rights.join(', ')}`}`,
    ),
  ]
}

const readBy: Record<ForumCheck['readers'], string> = {
  everybody: 'everybody, visitors too',
  members: 'all members who come along',
  roles: 'some roles',
  nobody: 'nobody, until you open them',
}

function forumsOf({ forums }: ImportCheck): string[] {
  return Object.entries(readBy).flatMap(([readers, words]) => {
    const its = forums.filter((forum) => forum.readers === readers)
    return its.length > 0 ? [`Forums that are read by ${words}:`, ...its.map(forumOf)] : []
  })
}

function forumOf({ id, name, roles }: ForumCheck): string {
  return `  ${name} (${id})${roles.length > 0 ? `: ${roles.join(', ')}` : ''}`
}

function peopleOf({ staff, taken, takenCount }: ImportCheck): string[][] {
  return [
    staff.length > 0
      ? ['Nobody becomes staff by an import. Give these their rights by hand:', ...staff.map(({ name, as }) => `  ${name}: ${as}`)]
      : [],
    taken.length > 0
      ? [
          'Members here have these names or addresses already. Unless you choose otherwise:',
          ...taken.map(
            ({ id, name, why, free }) =>
              `  ${name} (${id}): ${why === 'name' ? `comes as ${free}` : 'comes without the address, which a member here has'}`,
          ),
          ...(takenCount > taken.length ? [`  and ${takenCount - taken.length} more, in the file of choices`] : []),
        ]
      : [],
  ]
}

function needsOf({ fileBytes, duration: { seconds, posts, sampleSeconds, hashes, hashSeconds } }: ImportCheck): string[] {
  const pace = sampleSeconds > 0 ? Math.round(posts / sampleSeconds).toLocaleString('en') : '0'
  return [
    `Time: about ${seconds < 90 ? 'a minute' : `${Math.ceil(seconds / 60)} min`}, without files and the search index. ${posts.toLocaleString('en')} posts were read and converted here, ${pace} a second; writing takes about ${writing} times as long.`,
    ...(hashes > 0
      ? [`      ${hashes.toLocaleString('en')} old passwords are hashed once more, ${Math.ceil(hashSeconds * 1000)} ms each.`]
      : []),
    `Room: ${fileBytes === null ? 'none of the files that were looked for is there, so nothing is known' : `about ${formatSize(fileBytes)}`} for files.`,
  ]
}
