import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { CDPSession, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { passkeyAnswer, passkeyRegistration } from '#second-factor/passkey-contract.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let page: Page
let device: CDPSession
let openPage: () => Promise<Page>
let passkeys: { id: string; name: string; madeAt: string; usedAt: string | null }[]

// A passkey needs a domain name, not an IP address.
const origin = () => site.origin.replace('127.0.0.1', 'localhost')
const options = {
  challenge: 'bWFrZSBvbmU',
  site: 'localhost',
  siteName: 'Teahouse',
  userId: Buffer.from('7').toString('base64url'),
  account: 'mei',
  known: [],
}

beforeAll(async () => {
  site = await componentPage('../../features/accounts/account-security/testing/page.tsx')
  const browser = await openBrowser()
  openPage = () => browser.newPage()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  site.answer = answer
  passkeys = []
  page = await openPage()
  device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await page.goto(`${origin()}/user/control/passkeys`)
})

afterEach(() => page.context().close())

function answer({ path, body }: ReceivedRequest): Answer {
  if (path === '/user/control/security') return { body: { onSince: null, codesLeft: 0, isStaff: false, passkeys, devices: [] } }
  if (path === '/user/control/passkey/begin') return { body: options }
  const madeAt = new Date().toISOString()
  if (path === '/user/control/passkey/add')
    passkeys = [{ id: '1', name: new URLSearchParams(body).get('name') ?? '', madeAt, usedAt: null }]
  return { body: {} }
}

async function addAuthenticator(): Promise<void> {
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function addPasskey(name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Passkey name').fill(name)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
}

const shaped = (id: string) => ({ id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} })

test('a passkey that a device makes is sent with its name, and signs without a password afterwards', async () => {
  await addAuthenticator()
  await addPasskey('My phone')
  await page.getByRole('listitem').getByText('My phone').waitFor()
  const body = site.calls.find(({ path }) => path.endsWith('/passkey/add'))?.body ?? ''
  const { id, transports, ...made } = passkeyRegistration.parse(JSON.parse(new URLSearchParams(body).get('made') ?? ''))
  const expected = { expectedOrigin: origin(), expectedRPID: 'localhost', requireUserVerification: true }
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...shaped(id), response: made },
    expectedChallenge: options.challenge,
    ...expected,
  })
  expect([verified, transports]).toEqual([true, ['internal']])

  await page.getByRole('button', { name: 'Show a passkey' }).click()
  await expect.poll(() => page.locator('output').textContent()).not.toBe('')
  const { id: shown, ...signed } = passkeyAnswer.parse(JSON.parse((await page.locator('output').textContent()) ?? ''))
  expect(shown).toBe(id)
  const credential = { id, counter: 0, ...(registrationInfo && { publicKey: registrationInfo.credential.publicKey }) }
  const signature = await verifyAuthenticationResponse({
    response: { ...shaped(shown), response: signed },
    expectedChallenge: 'c2hvdyBpdA',
    ...expected,
    credential: { publicKey: new Uint8Array(), ...credential },
  })
  expect(signature.verified).toBe(true)
})

test('a device without passkeys gets a message, and nothing is sent', async () => {
  await addAuthenticator()
  await page.getByRole('button', { name: 'Show a passkey' }).click()
  await page.getByRole('status').getByText('No passkey was used. Nothing was changed.').waitFor()
  expect(await page.locator('output').textContent()).toBe('null')
  expect(site.calls.filter(({ method }) => method === 'POST')).toEqual([])
})
