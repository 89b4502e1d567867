import { beforeEach, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import * as contract from '#link/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

let forum: Forum
let chief: Staffer

beforeEach(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

const names = async () => (await forum.visitor().call(contract.friendLinks, {})).links.map(({ name }) => name)

test('links stand in their order, and a change of staff shows at once', async () => {
  expect(await names()).toEqual([])
  const { linkId } = await chief.call(contract.addLink, { name: 'Later', url: 'https://later.example', sort: 2 })
  await chief.call(contract.addLink, { name: 'First', url: 'https://first.example', sort: 1 })
  expect(await names()).toEqual(['First', 'Later'])
  await chief.call(contract.editLink, { linkId, version: 1, name: 'Earlier', url: 'https://later.example', sort: 0 })
  expect(await names()).toEqual(['Earlier', 'First'])
  await chief.call(contract.removeLink, { linkId })
  expect(await names()).toEqual(['First'])
})

test('a link leads to the web and nowhere else', async () => {
  for (const url of ['javascript:alert(1)', '/inside', 'https://', 'mailto:a@b.example', 'ftp://a.example', 'https://a b'])
    expect((await chief.tryCall(contract.addLink, { name: 'Bad', url })).error).toHaveProperty('url')
})

test('another’s save meanwhile is not overwritten', async () => {
  const { linkId } = await chief.call(contract.addLink, { name: 'Ours', url: 'https://ours.example' })
  const other = await aStaffer(forum)
  await other.call(contract.editLink, { linkId, version: 1, name: 'Theirs', url: 'https://ours.example' })
  const { status, response } = await chief.tryCall(contract.editLink, { linkId, version: 1, name: 'Mine', url: 'https://ours.example' })
  expect(status).toBe(409)
  expect(response.body).toContain(other.account)
  expect(await names()).toContain('Theirs')
})

test('the same address is not linked twice', async () => {
  await chief.call(contract.addLink, { name: 'Once', url: 'https://once.example' })
  const twice = { name: 'Again', url: 'https://ONCE.example/' }
  expect(await chief.isRefused(contract.addLink, twice, contract.LinkTwice)).toBe(true)
})
