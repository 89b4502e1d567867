import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { changeSettings, listSettings, settingGroups, settingHistory } from '#setting/staff-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum()
const chief = await aStaffer(forum)

test.each(Object.entries(settingGroups))(
  'the settings of the group %s can be saved as they stand, which changes none',
  async (_, names) => {
    const { settings, readAt } = await chief.call(listSettings, {})
    // Pictures have forms of their own.
    const its = settings.filter(({ name }) => (names as readonly string[]).includes(name) && name in changeSettings.input.shape)
    // A form sends lists as lines, and secrets empty.
    const form = its.map(({ name, value }) => [name, Array.isArray(value) ? value.join('\n') : (value ?? '')])
    expect(await chief.tryCall(changeSettings, { ...Object.fromEntries(form), seenAt: readAt })).toMatchObject({ status: 200, error: {} })
    for (const { name } of its)
      expect((await chief.call(settingHistory, { name })).changes.filter(({ by }) => by === chief.account)).toEqual([])
  },
)
