import type { Say } from '#base/web/words.tsx'

/** What the fields of deeds are called, by the key of their words. */
const fieldWords: Readonly<Record<string, string>> = {
  zh: 'fieldZh',
  en: 'fieldEn',
  nameZh: 'fieldZh',
  nameEn: 'fieldEn',
  name: 'fieldName',
  key: 'fieldKey',
  descriptionZh: 'fieldDescriptionZh',
  descriptionEn: 'fieldDescriptionEn',
  helpZh: 'fieldDescriptionZh',
  helpEn: 'fieldDescriptionEn',
  subject: 'fieldSubject',
  text: 'text',
  sort: 'fieldSort',
  rights: 'fieldRights',
  roleId: 'fieldRoles',
  roleIds: 'fieldRoles',
  tagId: 'fieldTag',
  tagIds: 'fieldTag',
  parentId: 'fieldParent',
  picture: 'fieldPicture',
  isRestricted: 'fieldIsRestricted',
  access: 'fieldAccess',
  isDisabled: 'fieldIsDisabled',
  account: 'fieldAccount',
  nickname: 'fieldNickname',
  avatar: 'fieldAvatar',
  from: 'fieldFrom',
  endsAt: 'fieldEndsAt',
  into: 'fieldInto',
  url: 'fieldUrl',
  isOn: 'fieldIsOn',
  isRequired: 'fieldIsRequired',
  options: 'fieldOptions',
  status: 'fieldStatus',
  deletedBy: 'fieldDeletedBy',
  deletedAt: 'fieldDeletedAt',
  deletedReason: 'fieldDeletedReason',
  pin: 'fieldPin',
  featuredAt: 'fieldFeaturedAt',
  sunkAt: 'fieldSunkAt',
  takesComments: 'fieldTakesComments',
  postscript: 'fieldPostscript',
  closedBy: 'fieldClosedBy',
  withdrawnAt: 'fieldWithdrawnAt',
  adopted: 'fieldAdopted',
  adoptedAt: 'fieldAdoptedAt',
  adoptedBy: 'fieldAdoptedBy',
  count: 'fieldCount',
  rows: 'fieldCount',
  wrong: 'fieldCount',
  deed: 'fieldDeed',
  filter: 'fieldFilter',
  asked: 'fieldFilter',
  outcome: 'fieldOutcome',
  result: 'fieldResult',
  remark: 'fieldRemark',
  answer: 'fieldAnswer',
  appeal: 'groupAppeal',
  topics: 'fieldTopics',
  comments: 'fieldComments',
  question: 'fieldQuestion',
  holders: 'fieldHolders',
  points: 'fieldPoints',
  cny: 'fieldCny',
  members: 'fieldMembers',
  requestId: 'fieldRequest',
}

/** What a field is called; by its own name where there is no other. */
export function fieldIn(words: Say, key: string): string {
  const word = Object.hasOwn(fieldWords, key) ? fieldWords[key] : undefined
  return word ? words(word) : key
}

/** What stands in a field by a code of its own. */
const valueWords: Readonly<Record<string, string>> = {
  published: 'valuePublished',
  pending: 'valuePending',
  rejected: 'valueRejected',
  failed: 'valueFailed',
  succeeded: 'valueSucceeded',
  restored: 'valueRestored',
  confirmed: 'valueConfirmed',
  deleted: 'valueDeleted',
  deletedByStaff: 'valueDeletedByStaff',
  deletedByAuthor: 'valueDeletedByAuthor',
  staff: 'valueByStaff',
  author: 'valueByAuthor',
  view: 'valueView',
  post: 'valuePost',
  topic: 'groupTopic',
  comment: 'groupComment',
  reply: 'groupReply',
}
const told = new Set(['status', 'state', 'deletedBy', 'from', 'access', 'may', 'kind', 'outcome', 'appeal'])

export function valueIn(words: Say, key: string, value: string): string {
  if (key === 'picture') return words('valuePicture', { mark: value.slice(-4) })
  const word = told.has(key) && Object.hasOwn(valueWords, value) ? valueWords[value] : undefined
  return word ? words(word) : value
}
