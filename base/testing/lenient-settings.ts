import type { Db } from '#base/server/database/database.ts'
import type { SettingName, Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

/**
 * Settings without minimum lengths, newcomer limits, waiting times, duplicate checks and required second factors, for
 * tests of everything else.
 */
export const lenientSettings = {
  minTitleLength: 1,
  minTopicLength: 1,
  minCommentLength: 1,
  minReplyLength: 1,
  newMemberDays: 0,
  newMemberPosts: 0,
  secondsBetweenTopics: 0,
  secondsBetweenComments: 0,
  secondsBetweenMessages: 0,
  newMemberSecondsBetweenTopics: 0,
  newMemberSecondsBetweenComments: 0,
  newMemberSecondsBetweenMessages: 0,
  messageCaptchaAfter: 100,
  duplicateWindowHours: 0,
  nicknameChangeIntervalDays: 0,
  administratorSecondFactor: false,
} as const satisfies Partial<Settings>

export async function applySettings(tx: Db, values: Partial<Settings>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await setting.change(tx, name as SettingName, value, 'test')
}
