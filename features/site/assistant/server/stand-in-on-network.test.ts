import { expect, test } from 'vitest'
import { ask } from '#assistant/contract.ts'
import * as assistant from '#assistant/server/assistant.ts'
import * as desk from '#assistant/staff-contract.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { transact } from '#base/server/database/database.ts'
import { baseInfo } from '#setting/contract.ts'
import { changeSettings } from '#setting/staff-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

// The address of the site is cached by process.
const forum = await aForum({ env: { TEAHOUSE_URL: 'https://tea.example.org' }, isOneServer: true })

test('on a site that other machines reach, a stand-in cannot be added, and an existing one answers no one', async () => {
  const chief = await aStaffer(forum)
  await transact(forum.database, (tx) => applySettings(tx, { administratorSecondFactor: false }))
  expect((await chief.tryCall(desk.useStandIn, {})).status).toBe(422)
  const modelId = await transact(forum.database, (tx) => assistant.addStandIn(tx, 'A stand-in'))
  expect((await chief.call(desk.modelList, {})).canStandIn).toBe(false)
  expect((await chief.tryCall(changeSettings, { allowAssistant: true })).error['allowAssistant']).toMatch(/AI models/)
  await transact(forum.database, (tx) => applySettings(tx, { allowAssistant: true }))
  const mei = await forum.member()
  expect((await mei.call(baseInfo, {})).aiAssistantParameter.allowChat).toBe(false)
  expect((await mei.tryCall(ask, { prompt: 'Hello?' })).status).toBe(422)
  expect(await chief.call(desk.testModel, { modelId })).toMatchObject({ problem: 'standInForOthers' })
  await chief.call(desk.switchModel, { modelId, isEnabled: false })
  expect((await chief.tryCall(desk.switchModel, { modelId, isEnabled: true })).status).toBe(422)
})
