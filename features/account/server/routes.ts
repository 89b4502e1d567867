import * as contract from '#account/contract.ts'
import { askPasskeyLogin, loginByPasskey, loginLog, loginStep2 } from '#account/login-contract.ts'
import * as recoveryContract from '#account/recover-contract.ts'
import * as loginPasskey from '#account/server/login-passkey.ts'
import * as hint from '#account/server/hint.ts'
import * as login from '#account/server/login.ts'
import { needsCaptcha } from '#account/server/login-limits.ts'
import * as loginBy from '#account/server/login-by.ts'
import * as stepTwo from '#account/server/login-step-two.ts'
import * as log from '#account/server/login-log.ts'
import * as recover from '#account/server/recover.ts'
import { routes as registering } from '#account/server/register-routes.ts'
import * as register from '#account/server/register.ts'
import { suggestAccount } from '#account/server/suggest-account.ts'
import * as takeBack from '#account/server/take-back.ts'
import * as token from '#account/server/token.ts'
import { anyone, members, on } from '#base/server/route.ts'
import * as contact from '#contact/server/contact.ts'
import * as field from '#field/server/field.ts'
import { baseInfo } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

/** The keys this feature signs with; made at the start of the program. */
export const secrets = ['successor', 'hint'] as const

export const routes = [
  ...registering,
  on(
    baseInfo,
    anyone,
    async ({ db, viewer, from }) => {
      const systemUser = viewer.id === null ? null : await user.systemUser(db, viewer.id)
      return setting.baseInfo(db, from.origin, systemUser, viewer.id !== null && viewer.may('assistant.use'))
    },
    { takesStale: true },
  ),
  on(contract.registerForm, anyone, async ({ db }) => {
    const settings = await setting.all(db)
    const ways = setting.waysToRegister(settings)
    const isOpen = setting.openOf(settings).registrations
    const { registerCaptcha: needsCaptcha, registrationMode: mode } = settings
    return { isOpen, mode, needsCaptcha, ways, countries: contact.countries(settings), fields: await field.asked(db) }
  }),
  on(contract.suggestAccount, anyone, async ({ db, input }) => ({ account: await suggestAccount(db, input.nickname) }), {
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
  }),
  on(contract.register, anyone, ({ db, input, prepared, from }) => register.join(db, input, prepared, from), {
    prepare: register.prepare,
    limits: [
      { times: 30, seconds: 3600, by: 'ip' },
      { times: 3, seconds: 3600, by: 'visitor', countsRefused: false },
    ],
    takesStale: true,
    secret: true,
  }),
  on(
    contract.loginForm,
    anyone,
    async ({ db, from }) => {
      const settings = await setting.all(db)
      return {
        needsCaptcha: await needsCaptcha(db, from),
        ways: settings.allowLoginAccountType,
        codes: contact.sendable(settings),
        countries: contact.countries(settings),
        canRecover: recover.waysOf(settings).length > 0 || recover.staffOf(settings) !== null,
      }
    },
    { takesStale: true },
  ),
  on(contract.login, anyone, ({ db, prepared, from }) => login.begin(db, prepared, from), {
    prepare: login.prove,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    takesStale: true,
    secret: true,
  }),
  on(
    contract.sendLoginCode,
    anyone,
    async ({ db, prepared, from }) => {
      await loginBy.sendCode(db, prepared, from)
      return {}
    },
    { prepare: loginBy.prepareCode, limits: [{ times: 20, seconds: 60, by: 'ip' }], takesStale: true },
  ),
  on(contract.loginBy, anyone, ({ db, prepared, from }) => loginBy.begin(db, prepared, from), {
    prepare: loginBy.prove,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    takesStale: true,
    secret: true,
  }),
  on(askPasskeyLogin, anyone, ({ db, input, from }) => loginPasskey.ask(db, input, from), {
    limits: [{ times: 30, seconds: 60, by: 'ip' }],
    takesStale: true,
    secret: true,
  }),
  on(loginByPasskey, anyone, ({ db, prepared, from }) => loginPasskey.begin(db, prepared, from), {
    prepare: loginPasskey.prove,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    takesStale: true,
    secret: true,
  }),
  on(loginStep2, anyone, ({ db, input, from, keep }) => stepTwo.begin(db, input, from, keep), {
    prepare: stepTwo.prove,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    takesStale: true,
    secret: true,
  }),
  on(
    recoveryContract.recoverForm,
    anyone,
    async ({ db }) => {
      const settings = await setting.all(db)
      return { ways: recover.waysOf(settings), countries: contact.countries(settings), staff: recover.staffOf(settings) }
    },
    { takesStale: true },
  ),
  on(
    recoveryContract.sendRecoveryCode,
    anyone,
    async ({ db, prepared, from }) => {
      await recover.sendCode(db, prepared, from)
      return {}
    },
    { prepare: contact.addressAsked, limits: [{ times: 20, seconds: 60, by: 'ip' }], takesStale: true },
  ),
  on(recoveryContract.recoverStep1, anyone, ({ db, prepared, from }) => recover.giveTicket(db, prepared, from), {
    prepare: recover.prove,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    takesStale: true,
    secret: true,
  }),
  on(
    recoveryContract.recoverStep2,
    anyone,
    async ({ db, input, prepared, from }) => {
      await recover.recover(db, input.ticket, prepared, from)
      return {}
    },
    { prepare: recover.preparePassword, limits: [{ times: 20, seconds: 60, by: 'ip' }], takesStale: true, secret: true },
  ),
  on(recoveryContract.hintOfAccount, anyone, ({ db, input }) => hint.questionOf(db, input.account), {
    prepare: hint.prepareQuestion,
    // A question that somebody chose shows that there is such an account.
    limits: [
      { times: 20, seconds: 60, by: 'ip' },
      { times: 60, seconds: 3600, by: 'ip' },
    ],
    takesStale: true,
    secret: true,
  }),
  on(recoveryContract.recoverByHint, anyone, ({ db, prepared, from }) => recover.giveTicket(db, prepared, from), {
    prepare: hint.prove,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    takesStale: true,
    secret: true,
  }),
  on(recoveryContract.myHint, members, ({ db, viewer }) => hint.mine(db, viewer)),
  on(
    recoveryContract.setMyHint,
    members,
    async ({ db, viewer, input, prepared }) => {
      await hint.setMine(db, viewer, input.hintQuestion, prepared)
      return {}
    },
    { prepare: hint.prepareMine, limits: [{ times: 10, seconds: 3600, by: 'member' }], secret: true },
  ),
  on(recoveryContract.takeBack, anyone, ({ db, input, prepared, from }) => takeBack.giveBack(db, input.link, prepared, from), {
    prepare: takeBack.prepare,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    takesStale: true,
    secret: true,
  }),
  on(contract.logout, anyone, async ({ db, viewer, input }) => {
    if (input.token) await token.revoke(db, input.token)
    else await token.end(db, [members(viewer).sessionId], 'logged out')
    return {}
  }),
  on(
    contract.refreshToken,
    anyone,
    async ({ db, prepared: refreshed }) => {
      if (!refreshed) return { accessToken: null, refreshToken: null, systemUser: null }
      if (refreshed === 'wrong') throw contract.RefreshWrong()
      return { ...refreshed.pair, systemUser: await user.systemUser(db, refreshed.memberId) }
    },
    { prepare: token.refreshApart, takesStale: true, secret: true, limits: [{ times: 120, seconds: 60, by: 'ip' }] },
  ),
  on(
    contract.changePassword,
    members,
    async ({ db, viewer, prepared, from }) => {
      await login.changeTo(db, viewer, prepared, from)
      return {}
    },
    { prepare: login.preparePassword, limits: [{ times: 5, seconds: 60, by: 'member' }], secret: true },
  ),
  on(loginLog, members, ({ db, viewer, input }) => log.list(db, viewer, input)),
  on(contract.sessions, members, ({ db, viewer }) => log.listSessions(db, viewer)),
  on(contract.endOtherSessions, members, async ({ db, viewer }) => {
    await log.endOthers(db, viewer)
    return {}
  }),
  on(contract.endSession, members, async ({ db, viewer, input }) => {
    await log.endOne(db, viewer, input.sessionId)
    return {}
  }),
]
