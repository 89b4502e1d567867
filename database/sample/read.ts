import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { pictureNames } from './pictures.ts'
import { readTopic, type SampleTopic } from './topic-file.ts'

const name = z.strictObject({ zh: z.string().min(1), en: z.string().min(1) })
const key = z.string().regex(/^[a-z][a-z-]*$/)

const role = z.strictObject({ key, name })
const member = z.strictObject({
  account: z.string().regex(/^[A-Za-z0-9_]{3,25}$/),
  nickname: z.string().min(1).max(25),
  language: z.enum(['zh', 'en']),
  deactivated: z.literal(true).optional(),
  roles: z.array(z.strictObject({ role: key, daysLeft: z.number().positive().optional() })).default([]),
  joinedDaysAgo: z.number().positive(),
  about: z.string().max(300).default(''),
  /** A gift besides earned points: points, and yuan if the site has a balance. */
  given: z.strictObject({ points: z.string(), yuan: z.string() }).optional(),
})
const leafTag = z.strictObject({ key, name, description: name.optional(), restrictedTo: key.optional() })
const tagGroup = z.strictObject({ key, name, children: z.array(leafTag).min(1) })

export type SampleRole = z.output<typeof role>
export type SampleMember = z.output<typeof member>
export type SampleTag = z.output<typeof leafTag>
export type SampleTagGroup = z.output<typeof tagGroup>
export type Sample = { roles: SampleRole[]; members: SampleMember[]; tags: SampleTagGroup[]; topics: SampleTopic[] }

/** The whole sample, in the order of its files; a mistake in them is an error with file and line. */
export function readSample(): Sample {
  const roles = readJson('roles.json', role)
  const members = readJson('members.json', member)
  const tags = readJson('tags.json', tagGroup)
  const names = {
    accounts: new Map(members.map((one) => [one.account, one.joinedDaysAgo])),
    tags: new Set(tags.flatMap((group) => group.children.map((leaf) => leaf.key))),
    pictures: new Set(pictureNames),
  }
  const topics = topicFiles().map((file) => readTopic(`topics/${file}`, textOf(`topics/${file}`), names))
  return { roles, members, tags, topics }
}

function topicFiles(): string[] {
  return readdirSync(new URL('./topics/', import.meta.url))
    .filter((file) => file.endsWith('.md'))
    .sort()
}

function readJson<T extends z.ZodType>(file: string, item: T): z.output<T>[] {
  const result = z.array(item).safeParse(JSON.parse(textOf(file)))
  if (!result.success) throw new Error(`${file}: ${z.prettifyError(result.error)}`)
  return result.data
}

function textOf(file: string): string {
  return readFileSync(new URL(`./${file}`, import.meta.url), 'utf8')
}
