import { expect, test } from 'vitest'
import { openPhpbb } from '#importer/server/phpbb/reader.ts'
import type { SourceMember } from '#importer/server/source.ts'
import { openDump } from '#importer/server/tables/dump.ts'
import { filesIn } from '#importer/server/tables/source-files.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { oldPhpbb } from '#importer/testing/old-phpbb.ts'
import { tablesSql } from '#importer/testing/old-tables.ts'

const { write } = dumpFolder()

test('the answers of a profile come with the questions that every board asks', async () => {
  const answers = {
    user_id: 2,
    pf_phpbb_location: 'Hangzhou &amp; more',
    pf_phpbb_website: '',
    pf_phpbb_interests: 'tea',
    pf_phpbb_icq: '123',
    pf_own: 'x',
  }
  const dump = write('board.sql', tablesSql({ ...oldPhpbb, phpbb_profile_fields_data: [answers] }, 'utf8mb3'))
  const reader = await openPhpbb(await openDump(dump), filesIn(null))
  const members: SourceMember[] = []
  for await (const page of reader.rows.members({ after: null, since: null, upto: (await reader.marks()).members ?? '' }))
    members.push(...page.rows)
  await reader.close()
  expect(members.find(({ id }) => id === '2')?.fields).toEqual({ Location: 'Hangzhou & more', Interests: 'tea' })
  expect(members.find(({ id }) => id !== '2')?.fields).toEqual({})
})
