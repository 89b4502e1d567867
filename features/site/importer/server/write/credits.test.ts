import { expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum } from '#base/testing/forum.ts'
import { mappingSchema } from '#importer/server/mapping.ts'
import { runImport } from '#importer/server/run.ts'
import { aReader, aSourceMember, aSourceThread, twoTags } from '#importer/testing/small-community.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'

test('bounties that nobody was given return to those who had paid them, once', async () => {
  const forum = await aForum()
  await aStaffer(forum)
  const asked = (id: string, memberId: string, amount: bigint, credit = 'p') =>
    aSourceThread(id, { kind: 'question', bounties: [{ credit, amount }] }, { author: { memberId } })
  const community = {
    tags: twoTags ?? [],
    members: [
      aSourceMember('1', 'Ann', { credits: { p: 5n } }),
      aSourceMember('2', 'Lin', { credits: { p: -20n } }),
      aSourceMember('3', 'Mei'),
    ],
    threads: [
      asked('1', '1', 10n),
      asked('2', '1', 7n),
      asked('3', '2', 20n),
      asked('4', '3', 3n, 'm'),
      asked('5', '3', 9n, 'other'),
      asked('6', '4', 8n),
      aSourceThread('8', { kind: 'question', bounties: [{ credit: 'p', amount: 4n, payerId: '3' }] }, { author: { guestName: '' } }),
    ],
  }
  const mapping = mappingSchema.parse({ points: 'p', money: { credit: 'm', centsPerUnit: 10 }, groups: {}, members: {}, language: 'en' })
  const run = (threads = community.threads) =>
    runImport({ ...forum, reader: aReader({ ...community, threads }), targetOf: () => null, mapping, report: () => undefined })
  await run()
  await run([...community.threads, asked('7', '1', 50n)])
  const { app } = forum.database
  const balances = await app
    .selectFrom('ledger.account')
    .innerJoin('member', 'member.id', 'owner_id')
    .select(['account', 'currency', 'balance'])
    .where('balance', '<>', '0')
    .orderBy('account')
    .orderBy('currency')
    .execute()
  expect(balances).toEqual([
    { account: 'Ann', currency: 'points', balance: '22' },
    { account: 'Mei', currency: 'cny', balance: '30' },
    { account: 'Mei', currency: 'points', balance: '4' },
  ])
  expect(await wallet.breachesIn(forum.database, bookChecks, null)).toEqual([])
})
