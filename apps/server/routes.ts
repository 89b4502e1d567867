import { manyThings } from '#apps/server/many-things.ts'
import { moneyRequests } from '#apps/server/money-requests.ts'
import * as about from '#about/server/routes.ts'
import * as account from '#account/server/routes.ts'
import * as accountSecurity from '#account-security/server/routes.ts'
import * as assistant from '#assistant/server/routes.ts'
import * as audit from '#audit/server/routes.ts'
import * as batch from '#batch/server/routes.ts'
import * as bounty from '#bounty/server/routes.ts'
import * as redEnvelope from '#red-envelope/server/routes.ts'
import * as captcha from '#captcha/server/routes.ts'
import * as collusion from '#collusion/server/routes.ts'
import * as comment from '#comment/server/routes.ts'
import { editsIn } from '#content/server/log-edits.ts'
import { called } from '#content/server/log-names.ts'
import * as activity from '#activity/server/routes.ts'
import { addressesOf } from '#contact/server/contact.ts'
import * as contact from '#contact/server/routes.ts'
import * as content from '#content/server/routes.ts'
import * as delivery from '#delivery/server/routes.ts'
import * as draft from '#draft/server/routes.ts'
import * as field from '#field/server/routes.ts'
import * as file from '#file/server/routes.ts'
import * as favourite from '#favourite/server/routes.ts'
import * as feedback from '#feedback/server/routes.ts'
import * as follow from '#follow/server/routes.ts'
import * as frame from '#frame/server/routes.ts'
import * as hiddenPart from '#hidden-part/server/routes.ts'
import * as help from '#help/server/routes.ts'
import * as like from '#like/server/routes.ts'
import * as invitation from '#invitation/server/routes.ts'
import * as identity from '#identity/server/routes.ts'
import * as leaving from '#leaving/server/routes.ts'
import * as link from '#link/server/routes.ts'
import * as look from '#look/server/routes.ts'
import { giftRoutes } from '#membership/server/gift-routes.ts'
import { orderRoutes } from '#membership/server/order-routes.ts'
import * as membership from '#membership/server/routes.ts'
import * as message from '#message/server/routes.ts'
import * as notice from '#notice/server/routes.ts'
import * as post from '#post/server/routes.ts'
import * as maintenance from '#maintenance/server/routes.ts'
import * as payment from '#payment/server/routes.ts'
import * as personalData from '#personal-data/server/routes.ts'
import * as preferences from '#preferences/server/routes.ts'
import * as question from '#question/server/routes.ts'
import * as realName from '#real-name/server/routes.ts'
import * as report from '#report/server/routes.ts'
import * as roleRoutes from '#role/server/routes.ts'
import * as member from '#member/server/routes.ts'
import * as search from '#search/server/routes.ts'
import * as secondFactor from '#second-factor/server/routes.ts'
import * as settingRoutes from '#setting/server/routes.ts'
import * as review from '#review/server/routes.ts'
import * as sensitiveWords from '#sensitive-word/server/routes.ts'
import * as statistic from '#statistic/server/routes.ts'
import * as tagRoutes from '#tag/server/routes.ts'
import * as staff from '#staff/server/routes.ts'
import * as memberCleanup from '#member-cleanup/server/routes.ts'
import * as topic from '#topic/server/routes.ts'
import * as user from '#user/server/routes.ts'
import * as wallet from '#wallet/server/routes.ts'

/** Every call that the program answers. */
export const routes = [
  ...audit.routesFor({ called, editsIn }),
  ...frame.routes,
  ...settingRoutes.routes,
  ...preferences.routes,
  ...captcha.routes,
  ...delivery.routesFor({ addressesOf }),
  ...roleRoutes.routes,
  ...field.routes,
  ...secondFactor.routes,
  ...contact.routes,
  ...realName.routes,
  ...invitation.routes,
  ...account.routes,
  ...accountSecurity.routes,
  ...identity.routes,
  ...staff.routes,
  ...batch.routesFor(manyThings),
  ...member.routes,
  ...memberCleanup.routes,
  ...personalData.routes,
  ...leaving.routes,
  ...file.routes,
  ...look.routes,
  ...notice.routes,
  ...post.routes,
  ...sensitiveWords.routes,
  ...user.routes,
  ...tagRoutes.routes,
  ...hiddenPart.routes,
  ...bounty.routes,
  ...redEnvelope.routes,
  ...like.routes,
  ...collusion.routes,
  ...favourite.routes,
  ...follow.routes,
  ...message.routes,
  ...topic.routes,
  ...comment.routes,
  ...question.routes,
  ...activity.routes,
  ...content.routes,
  ...report.routes,
  ...review.routes,
  ...draft.routes,
  ...search.routes,
  ...help.routes,
  ...feedback.routes,
  ...link.routes,
  ...payment.routes,
  ...membership.routes,
  ...orderRoutes,
  ...giftRoutes,
  ...about.routes,
  ...assistant.routes,
  ...statistic.routes,
  ...maintenance.routes,
  ...wallet.routesFor(moneyRequests),
]
