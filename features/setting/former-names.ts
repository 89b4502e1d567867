import { allSettings, type AnySetting } from './settings.ts'

/** What settings were called once: the log still says so, and people still type it. */
export const formerNames: Readonly<Partial<Record<AnySetting, string>>> = {
  allowRegistrations: 'takesRegistrations',
  allowTopics: 'takesTopics',
  allowTopicEdits: 'takesTopicEdits',
  allowComments: 'takesComments',
  allowReplies: 'takesReplies',
  allowQuestions: 'takesQuestions',
  allowQuestionEdits: 'takesQuestionEdits',
  allowAnswers: 'takesAnswers',
  allowAnswerReplies: 'takesAnswerReplies',
  allowReports: 'takesReports',
  allowFeedback: 'takesFeedback',
  releaseDeletedNames: 'freesNames',
  secondsBetweenComments: 'secondsBetweenRemarks',
  newMemberSecondsBetweenComments: 'newMemberSecondsBetweenRemarks',
  duplicateWindowHours: 'repeatHours',
}

const today = new Map(Object.entries(formerNames).map(([name, former]) => [former, name as AnySetting]))

/** The setting of this name, or of one it had before; null where there is none. */
export function settingCalled(name: string): AnySetting | null {
  return Object.hasOwn(allSettings, name) ? (name as AnySetting) : (today.get(name) ?? null)
}
