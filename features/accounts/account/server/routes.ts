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
import { endSessions } from '#account/server/end-sessions.ts'
import * as token from '#account/server/token.ts'
import { anyone, members, route } from '#base/server/http/route.ts'
import * as contact from '#contact/server/contact.ts'
import * as field from '#field/server/field.ts'
import * as role from '#role/server/role.ts'
import { baseInfo } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

/** The names of this feature's signing keys; created when the program first starts. */
export const secrets = ['successor', 'hint'] as const

export const routes = [
  ...registering,
  route(
    baseInfo,
    anyone,
    async ({ db, viewer, client }) => {
      const visitor = await role.rightsOfVisitor(db)
      return setting.baseInfo(db, client.origin, {
        systemUser: viewer.id === null ? null : await user.systemUser(db, viewer.id),
        seesAsVisitor: viewer.audience === visitor.audience,
        mayChat: viewer.id !== null && viewer.may('assistant.use'),
      })
    },
    { allowsExpiredToken: true },
  ),
  route(contract.registerForm, anyone, async ({ db }) => {
    const settings = await setting.all(db)
    const ways = setting.registrationMethods(settings)
    const isOpen = setting.openFunctions(settings).registrations
    const { registerCaptcha: needsCaptcha, registrationMode: mode } = settings
    return { isOpen, mode, needsCaptcha, ways, countries: contact.countries(settings), fields: await field.allFields(db) }
  }),
  route(contract.suggestAccount, anyone, async ({ db, input }) => ({ account: await suggestAccount(db, input.nickname) }), {
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
  }),
  route(contract.register, anyone, ({ db, input, prepared, client }) => register.complete(db, input, prepared, client), {
    prepare: register.prepare,
    limits: [
      { times: 30, seconds: 3600, by: 'ip' },
      { times: 3, seconds: 3600, by: 'visitor', countsRefused: false },
    ],
    allowsExpiredToken: true,
    secret: true,
  }),
  route(
    contract.loginForm,
    anyone,
    async ({ db, client }) => {
      const settings = await setting.all(db)
      return {
        needsCaptcha: await needsCaptcha(db, client),
        ways: settings.allowLoginAccountType,
        codes: contact.sendableKinds(settings),
        countries: contact.countries(settings),
        canRecover: recover.methodsOf(settings).length > 0 || recover.staffContact(settings) !== null,
      }
    },
    { allowsExpiredToken: true },
  ),
  route(contract.login, anyone, ({ db, prepared, client }) => login.complete(db, prepared, client), {
    prepare: login.verify,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
    secret: true,
  }),
  route(contract.sendLoginCode, anyone, ({ db, prepared, client }) => loginBy.sendCode(db, prepared, client), {
    prepare: loginBy.prepareCode,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
  }),
  route(contract.loginBy, anyone, ({ db, prepared, client }) => loginBy.complete(db, prepared, client), {
    prepare: loginBy.verify,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
    secret: true,
  }),
  route(askPasskeyLogin, anyone, ({ db, input, client }) => loginPasskey.requestSignature(db, input, client), {
    limits: [{ times: 30, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
    secret: true,
  }),
  route(loginByPasskey, anyone, ({ db, prepared, client }) => loginPasskey.complete(db, prepared, client), {
    prepare: loginPasskey.verify,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
    secret: true,
  }),
  route(loginStep2, anyone, ({ db, input, client, setSecretCookie }) => stepTwo.complete(db, input, client, setSecretCookie), {
    prepare: stepTwo.verify,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
    secret: true,
  }),
  route(
    recoveryContract.recoverForm,
    anyone,
    async ({ db }) => {
      const settings = await setting.all(db)
      return { ways: recover.methodsOf(settings), countries: contact.countries(settings), staff: recover.staffContact(settings) }
    },
    { allowsExpiredToken: true },
  ),
  route(recoveryContract.sendRecoveryCode, anyone, ({ db, prepared, client }) => recover.sendCode(db, prepared, client), {
    prepare: contact.requestedAddress,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
  }),
  route(recoveryContract.recoverStep1, anyone, ({ db, prepared, client }) => recover.issueTicket(db, prepared, client), {
    prepare: recover.verifyCode,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
    secret: true,
  }),
  route(
    recoveryContract.recoverStep2,
    anyone,
    ({ db, input, prepared, client }) => recover.resetPassword(db, input.ticket, prepared, client),
    { prepare: recover.preparePassword, limits: [{ times: 20, seconds: 60, by: 'ip' }], allowsExpiredToken: true, secret: true },
  ),
  route(recoveryContract.hintOfAccount, anyone, ({ db, input }) => hint.questionOf(db, input.account), {
    prepare: hint.prepareQuestion,
    // A chosen question reveals that the account exists.
    limits: [
      { times: 20, seconds: 60, by: 'ip' },
      { times: 60, seconds: 3600, by: 'ip' },
    ],
    allowsExpiredToken: true,
    secret: true,
  }),
  route(recoveryContract.recoverByHint, anyone, ({ db, prepared, client }) => recover.issueTicket(db, prepared, client), {
    prepare: hint.verifyAnswer,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
    secret: true,
  }),
  route(recoveryContract.myHint, members, ({ db, viewer }) => hint.read(db, viewer)),
  route(recoveryContract.setMyHint, members, ({ db, viewer, input, prepared }) => hint.save(db, viewer, input.hintQuestion, prepared), {
    prepare: hint.prepareSave,
    limits: [{ times: 10, seconds: 3600, by: 'member' }],
    secret: true,
  }),
  route(recoveryContract.takeBack, anyone, ({ db, input, prepared, client }) => takeBack.restoreAccount(db, input.link, prepared, client), {
    prepare: takeBack.prepare,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
    secret: true,
  }),
  route(contract.logout, anyone, async ({ db, viewer, input }) => {
    if (input.token) await token.revoke(db, input.token)
    else await endSessions(db, [members(viewer).sessionId], 'logged out')
  }),
  route(
    contract.refreshToken,
    anyone,
    async ({ db, prepared: refreshed }) => {
      if (!refreshed) return { accessToken: null, refreshToken: null, systemUser: null }
      if (refreshed === 'wrong') throw contract.RefreshWrong()
      return { ...refreshed.pair, systemUser: await user.systemUser(db, refreshed.memberId) }
    },
    { prepare: token.prepareRefresh, allowsExpiredToken: true, secret: true, limits: [{ times: 120, seconds: 60, by: 'ip' }] },
  ),
  route(contract.changePassword, members, ({ db, viewer, prepared, client }) => login.setPassword(db, viewer, prepared, client), {
    prepare: login.preparePassword,
    limits: [{ times: 5, seconds: 60, by: 'member' }],
    secret: true,
  }),
  route(loginLog, members, ({ db, viewer, input }) => log.list(db, viewer, input)),
  route(contract.sessions, members, ({ db, viewer }) => log.listSessions(db, viewer)),
  route(contract.endOtherSessions, members, ({ db, viewer }) => log.endOtherSessions(db, viewer)),
  route(contract.endSession, members, ({ db, viewer, input }) => log.endSession(db, viewer, input.sessionId)),
]
