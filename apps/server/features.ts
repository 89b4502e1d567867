import { guardDifferences } from '#database/guards.ts'
import type { Check } from '#wallet/server/breaches.ts'
import { collect, type Feature } from '#base/server/feature.ts'
import { feature as about } from '#about/server/feature.ts'
import { feature as account } from '#account/server/feature.ts'
import { feature as accountSecurity } from '#account-security/server/feature.ts'
import { feature as activity } from '#activity/server/feature.ts'
import { feature as assistant } from '#assistant/server/feature.ts'
import { feature as audit } from '#audit/server/feature.ts'
import { feature as batch } from '#batch/server/feature.ts'
import { feature as bounty } from '#bounty/server/feature.ts'
import { feature as captcha } from '#captcha/server/feature.ts'
import { feature as collusion } from '#collusion/server/feature.ts'
import { feature as comment } from '#comment/server/feature.ts'
import { feature as contact } from '#contact/server/feature.ts'
import { feature as content } from '#content/server/feature.ts'
import { feature as delivery } from '#delivery/server/feature.ts'
import { feature as draft } from '#draft/server/feature.ts'
import { feature as favourite } from '#favourite/server/feature.ts'
import { feature as feedback } from '#feedback/server/feature.ts'
import { feature as field } from '#field/server/feature.ts'
import { feature as file } from '#file/server/feature.ts'
import { feature as follow } from '#follow/server/feature.ts'
import { feature as frame } from '#frame/server/feature.ts'
import { feature as help } from '#help/server/feature.ts'
import { feature as hiddenPart } from '#hidden-part/server/feature.ts'
import { feature as identity } from '#identity/server/feature.ts'
import { feature as invitation } from '#invitation/server/feature.ts'
import { feature as leaving } from '#leaving/server/feature.ts'
import { feature as like } from '#like/server/feature.ts'
import { feature as link } from '#link/server/feature.ts'
import { feature as linkPreview } from '#link-preview/server/feature.ts'
import { feature as look } from '#look/server/feature.ts'
import { feature as maintenance } from '#maintenance/server/feature.ts'
import { feature as member } from '#member/server/feature.ts'
import { feature as memberCleanup } from '#member-cleanup/server/feature.ts'
import { feature as membership } from '#membership/server/feature.ts'
import { feature as message } from '#message/server/feature.ts'
import { feature as notification } from '#notification/server/feature.ts'
import { feature as payment } from '#payment/server/feature.ts'
import { feature as personalData } from '#personal-data/server/feature.ts'
import { feature as poll } from '#poll/server/feature.ts'
import { feature as post } from '#post/server/feature.ts'
import { feature as preferences } from '#preferences/server/feature.ts'
import { feature as question } from '#question/server/feature.ts'
import { feature as realName } from '#real-name/server/feature.ts'
import { feature as redEnvelope } from '#red-envelope/server/feature.ts'
import { feature as rename } from '#rename/server/feature.ts'
import { feature as report } from '#report/server/feature.ts'
import { feature as review } from '#review/server/feature.ts'
import { feature as role } from '#role/server/feature.ts'
import { feature as search } from '#search/server/feature.ts'
import { feature as secondFactor } from '#second-factor/server/feature.ts'
import { feature as sensitiveWord } from '#sensitive-word/server/feature.ts'
import { feature as setting } from '#setting/server/feature.ts'
import { feature as staff } from '#staff/server/feature.ts'
import { feature as statistic } from '#statistic/server/feature.ts'
import { feature as tag } from '#tag/server/feature.ts'
import { feature as topic } from '#topic/server/feature.ts'
import { feature as user } from '#user/server/feature.ts'
import { feature as wallet } from '#wallet/server/feature.ts'
import { feature as writing } from '#writing/server/feature.ts'

const guards: Check = { name: 'what guards the books is as the program has it', over: 'database', breaches: guardDifferences }

/** The features of the program, in the order of features/order.js. */
export const features: readonly Feature[] = [
  { name: 'guards', bookChecks: [guards] },
  audit,
  frame,
  setting,
  preferences,
  role,
  sensitiveWord,
  field,
  file,
  user,
  delivery,
  captcha,
  secondFactor,
  contact,
  realName,
  invitation,
  account,
  identity,
  accountSecurity,
  staff,
  look,
  batch,
  notification,
  wallet,
  hiddenPart,
  linkPreview,
  writing,
  tag,
  redEnvelope,
  bounty,
  post,
  like,
  collusion,
  favourite,
  follow,
  message,
  topic,
  comment,
  question,
  poll,
  activity,
  search,
  content,
  report,
  review,
  draft,
  rename,
  payment,
  membership,
  member,
  memberCleanup,
  personalData,
  leaving,
  help,
  feedback,
  link,
  about,
  assistant,
  maintenance,
  statistic,
]

export const routes = collect(features, 'routes')
export const streams = collect(features, 'streams')
export const bookChecks = collect(features, 'bookChecks')
