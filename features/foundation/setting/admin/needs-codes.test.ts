import { expect, test } from 'vitest'
import { z } from 'zod'
import { unavailableFor, type UnavailableChannels } from '#setting/admin/needs-codes.tsx'
import { settings, type SettingName } from '#setting/staff-contract.ts'

const both: UnavailableChannels = ['email', 'sms']

/** The options of a single or multiple choice. */
function choicesOf(name: SettingName): readonly unknown[] {
  const takes: z.ZodType = settings[name].schema
  const one = takes instanceof z.ZodArray ? takes.element : takes
  return one instanceof z.ZodEnum ? one.options : []
}

test('every setting with a choice that needs codes says which channel is missing', () => {
  const byCode = (Object.keys(settings) as SettingName[]).filter((name) =>
    choicesOf(name).some((one) => one === 'phone' || one === 'email'),
  )
  expect(byCode).toContain('allowRegisterAccountType')
  for (const name of byCode) expect([name, unavailableFor(name, both).includes('sms')]).toEqual([name, choicesOf(name).includes('phone')])
  for (const name of byCode) expect([name, unavailableFor(name, both).includes('email')]).toEqual([name, choicesOf(name).includes('email')])
  expect(unavailableFor('allowRegisterAccountType', ['sms'])).toEqual(['sms'])
  expect(unavailableFor('realNameForPosting', [])).toEqual([])
  expect(unavailableFor('title', both)).toEqual([])
})
