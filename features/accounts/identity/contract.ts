import { z } from 'zod'
import {
  AccountDisabled,
  accountName,
  AccountReserved,
  AccountTaken,
  ComeFromAdministration,
  newPassword,
  PasswordCommon,
  LoginView,
  TokenPair,
  TooManyFromHere,
} from '#account/contract.ts'
import { id, nothing, read, refusal, refusalAt, TooManyHashes, write } from '#base/contract.ts'
import { answerRefusals, answers } from '#field/contract.ts'
import { invitationField, invitationRefusals } from '#invitation/contract.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import { kinds } from '#contact/contract.ts'
import { TooManySent } from '#delivery/contract.ts'
import { passwordsDiffer, passwordsMatch } from '#base/secret-input.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { nickname, NicknameReserved, NicknameTaken } from '#user/contract.ts'

/** The provider was unreachable, slow, or gave an invalid answer. */
export const ProviderFailed = refusal('identity.failed')
/** The person declined at the provider, or left. */
export const Declined = refusal('identity.declined')
/** The login has expired, was used before, or began in another browser. */
export const WayExpired = refusal('identity.expired')
export const IdentityOfAnother = refusal('identity.ofAnother')
/** This account is linked to another person at the provider. */
export const LinkedAlready = refusal('identity.linkedAlready')
/** It is the account's only login method. */
export const LastWayIn = refusal('identity.lastWayIn')
/** The member has a password, which the change requires. */
export const HasPassword = refusal('identity.hasPassword', { field: 'password' })

/** The stored secret was given for another address or another client id. */
export const SecretNeeded = refusal('identity.secretNeeded', { field: 'clientSecret' })
export const InAppSecretNeeded = refusalAt('inAppClientSecret', SecretNeeded)
export const AddressNeeded = refusal('identity.addressNeeded', { field: 'address' })
export const InAppOfWechat = refusal('identity.inAppOfWechat', { field: 'inAppClientId' })
/** The operator of another address could impersonate everyone. */
export const AddressUsed = refusal('identity.addressUsed', { field: 'address' })
export const ProviderUsed = refusal('identity.used')

const Name = z.object({ zh: z.string(), en: z.string() })
export const ProviderView = z.object({ id: z.string(), name: Name })
export type ProviderView = z.infer<typeof ProviderView>

const jumpUrl = z
  .string()
  .regex(/^[\w-]*$/)
  .max(3000)

export const listProviders = read('/queryThirdPartyLogin', {
  summary: 'External identity providers that are available for sign-in in this browser.',
  input: nothing,
  output: z.object({ providers: z.array(ProviderView) }),
})

export const beginWay = write('/thirdParty/loginLink', {
  summary:
    'Starts a sign-in at an identity provider and returns its URL. `links` links the identity to the member and needs re-authentication.',
  input: z.object({ providerId: id, links: z.boolean().default(false), jumpUrl: jumpUrl.optional() }),
  output: z.object({ redirectUrl: z.string() }),
  errors: [ProviderFailed, Declined, ProveAgain],
  availableWhile: 'readOnly',
})

export const endWay = write('/thirdParty/loginRedirect', {
  summary: 'Completes a sign-in with the query returned by the provider: starts a session, links, or returns a ticket for a new account.',
  input: z.object({ answer: z.string().min(1).max(8000) }),
  output: z.object({
    outcome: z.enum(['loggedIn', 'linked', 'isNew']),
    session: LoginView.nullable(),
    /** Valid for one new account or one link, in this browser, within half an hour. */
    ticket: z.string().nullable(),
    provider: ProviderView,
    name: z.string().nullable(),
    jumpUrl: z.string().nullable(),
  }),
  errors: [ProviderFailed, Declined, WayExpired, IdentityOfAnother, LinkedAlready, AccountDisabled, ComeFromAdministration],
  availableWhile: 'readOnly',
})

const ticket = z.string().min(1).max(64)

export const registerByTicket = write('/thirdParty/register', {
  summary: 'Registers an account without a password for the external identity of a ticket, and signs in.',
  input: z.object({
    ticket,
    account: accountName,
    nickname: nickname.default(''),
    answers: answers.default({}),
    ...invitationField,
    agrees: z.boolean().refine((agrees) => agrees, { params: { code: 'account.mustAgree' } }),
  }),
  output: TokenPair,
  errors: [
    FunctionClosed,
    WayExpired,
    IdentityOfAnother,
    AccountDisabled,
    ComeFromAdministration,
    AccountTaken,
    AccountReserved,
    NicknameTaken,
    NicknameReserved,
    TooManyFromHere,
    ...invitationRefusals,
    ...answerRefusals,
  ],
})

export const linkByTicket = write('/thirdParty/link', {
  summary: 'Links the external identity of a ticket to the member’s account. Requires recent re-authentication.',
  input: z.object({ ticket }),
  output: nothing,
  errors: [WayExpired, IdentityOfAnother, LinkedAlready, ProveAgain],
})

export const signInMethods = read('/user/control/signInMethods', {
  summary: 'Sign-in methods of the member’s account.',
  input: nothing,
  output: z.object({
    hasPassword: z.boolean(),
    /** The account's bound addresses, masked. */
    phone: z.string().nullable(),
    email: z.string().nullable(),
    /** The kinds that can receive codes, without which nothing is bound or changed. */
    codes: z.array(z.enum(kinds)),
    linked: z.array(
      z.object({
        id: z.string(),
        provider: ProviderView,
        name: z.string().nullable(),
        linkedAt: z.iso.datetime(),
        usedAt: z.iso.datetime(),
        /** The account's only login method, so it cannot be unlinked. */
        isLastWayIn: z.boolean(),
      }),
    ),
    /** The providers that could be linked too. */
    others: z.array(ProviderView),
  }),
})

export const unlink = write('/user/control/signInMethod/unlink', {
  summary: 'Unlinks an external identity from the member’s account. Requires recent re-authentication.',
  input: z.object({ identityId: id }),
  output: nothing,
  errors: [LastWayIn, ProveAgain],
  availableWhile: 'readOnly',
})

export const setPassword = write('/user/control/setPassword', {
  summary: 'Sets the first password of an account without one. Requires recent re-authentication.',
  input: z.object(newPassword).refine(passwordsMatch, passwordsDiffer),
  output: nothing,
  errors: [HasPassword, ProveAgain, PasswordCommon, TooManySent, TooManyHashes],
  availableWhile: 'readOnly',
})
