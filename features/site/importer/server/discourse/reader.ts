import { categories, categoryAddresses, topicTags } from '#importer/server/discourse/categories.ts'
import * as marks from '#importer/server/discourse/marks.ts'
import { groups, members, staff } from '#importer/server/discourse/members.ts'
import { messages } from '#importer/server/discourse/messages.ts'
import { votes } from '#importer/server/discourse/polls.ts'
import { archetypes, comments } from '#importer/server/discourse/posts.ts'
import { hiddenTagsIn, questionCategoriesIn, settingsIn, type Discourse } from '#importer/server/discourse/source.ts'
import { accepted, threads } from '#importer/server/discourse/threads.ts'
import { files, uploadsIn } from '#importer/server/discourse/uploads.ts'
import type { Kind, Page, Range, Reader } from '#importer/server/source.ts'
import { assertProgram } from '#importer/server/tables/assert-program.ts'
import { countsOf, inOnePage, marksOf, noRows } from '#importer/server/tables/reading.ts'
import type { SourceFiles } from '#importer/server/tables/source-files.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'

export type DiscourseOptions = { /** Its address, which is not in its database. */ origin?: string | undefined; now?: Date }

/** A Discourse 3, or a later one of the same tables. */
export async function openDiscourse(
  tables: SourceTables,
  source: SourceFiles,
  { origin, now = new Date() }: DiscourseOptions = {},
): Promise<Reader> {
  await assertProgram(tables, 'Discourse', null, ['users', 'user_emails', 'categories', 'topics', 'posts', 'site_settings'])
  const origins = origin === undefined ? [] : [origin.replace(/\/?$/, '/')]
  const discourse: Discourse = {
    tables,
    origins,
    settings: await settingsIn(tables),
    hiddenTagIds: await hiddenTagsIn(tables),
    questionCategoryIds: await questionCategoriesIn(tables),
    now,
  }
  return {
    program: 'discourse',
    version: '3',
    title: discourse.settings.get('title') ?? 'Discourse',
    origins,
    credits: [],
    hasFloors: true,
    addressRules: { ...(await categoryAddresses(discourse)), folder: URL.parse(origins[0] ?? '')?.pathname ?? '/' },
    staff: () => staff(discourse),
    count: (kind) => count(tables, kind),
    marks: () => marksOf(tables, stored),
    rows: rowsIn(discourse),
    bytesOf: uploadsIn(source).bytesOf,
    close: () => tables.close(),
  }
}

function rowsIn(discourse: Discourse): Reader['rows'] {
  const reading =
    <T>(read: (from: Discourse, range: Range) => AsyncGenerator<Page<T>>) =>
    (range: Range) =>
      read(discourse, range)
  return {
    groups: inOnePage(() => groups(discourse)),
    tags: inOnePage(async () => {
      const all = await categories(discourse)
      return [...all, ...(await topicTags(discourse, all.length))]
    }),
    members: reading(members),
    files: reading(files),
    threads: reading(threads),
    moved: noRows,
    comments: reading(comments),
    accepted: reading(accepted),
    votes: reading(votes),
    unlocks: noRows,
    likes: reading(marks.likes),
    favourites: reading(marks.favourites),
    follows: reading(marks.follows),
    readPositions: reading(marks.readPositions),
    messages: reading(messages),
  }
}

const stored = {
  members: ['users', 'id'],
  files: ['uploads', 'id'],
  threads: ['topics', 'id'],
  comments: ['posts', 'id'],
  messages: ['posts', 'id'],
} as const satisfies { [K in Kind]?: readonly [string, string] }

/** Comments and openings are counted together; a private message is counted once, with all its answers. */
async function count(tables: SourceTables, kind: Kind): Promise<number> {
  const ofTopics = (values: readonly string[]) => tables.count('topics', [{ column: 'archetype', is: 'in', values }])
  if (kind === 'threads') return ofTopics(archetypes)
  if (kind === 'messages') return ofTopics(['private_message'])
  return countsOf(tables, {
    groups: ['groups'],
    tags: ['categories'],
    members: ['users'],
    files: ['uploads'],
    comments: ['posts'],
    votes: ['polls'],
    favourites: ['bookmarks'],
    readPositions: ['topic_users'],
  })(kind)
}

/** The tables that are read; a dump has others that are much larger. */
export const discourseTables: ReadonlySet<string> = new Set(
  (
    'bookmarks categories category_custom_fields category_groups category_users discourse_solved_solved_topics email_tokens ' +
    'group_users groups poll_options poll_votes polls post_actions post_uploads posts site_settings tag_group_memberships ' +
    'tag_group_permissions tags topic_allowed_groups topic_allowed_users topic_custom_fields topic_tags topic_users topics ' +
    'upload_references uploads user_custom_fields user_emails user_fields user_histories user_options user_passwords ' +
    'user_profiles users'
  ).split(' '),
)
