import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from '#apps/server/commands/run-command.ts'
import { isPassword } from '#base/server/security/hash-password.ts'
import { readConfig } from '#base/server/config.ts'
import { freshDatabase, testKey } from '#base/testing/database.ts'
import * as role from '#role/server/role.ts'
import * as setting from '#setting/server/setting.ts'

const { database, ownerUrl, close } = await freshDatabase()
const folder = mkdtempSync(join(tmpdir(), 'teahouse-tool-'))
const settingsOfMachine = { DATABASE_URL: ownerUrl, TEAHOUSE_DATA: join(folder, 'data'), TEAHOUSE_KEY: testKey }
const invalidated: unknown[] = []
database.invalidations.on((tags) => invalidated.push(tags))
await database.invalidations.listen(() => undefined)

afterAll(async () => {
  await close()
  rmSync(folder, { recursive: true })
})

test('it lists its commands, and does so again after an unknown one', async () => {
  const help = await teahouse('help')
  expect(help).toContain('member add NAME [--role ROLE]')
  await expect(teahouse('brew')).rejects.toThrow(`There is no command brew.\n\n${help}`)
})

test('the program reports an error without a stack, and exits with a status that scripts notice', () => {
  const program = fileURLToPath(new URL('../teahouse.ts', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [program, 'brew'], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^There is no command brew\./)
  expect(stderr).not.toContain('    at ')
})

test('a backup without enough room is refused in a sentence, and leaves nothing', async () => {
  await database.app
    .insertInto('setting')
    .values({ name: 'long', value: JSON.stringify(randomBytes(100_000).toString('base64')), changed_by: 'test' })
    .execute()
  const program = fileURLToPath(new URL('../teahouse.ts', import.meta.url))
  const to = join(folder, 'no-room', 'backup')
  // Files cannot grow beyond these few blocks, as on a full disk.
  const command = 'ulimit -f 64; exec "$0" "$@"'
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, program, 'backup', to], {
    encoding: 'utf8',
    env: { ...process.env, ...settingsOfMachine },
  })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr.trim().split('\n').at(-1)).toBe(
    `There is no room for the backup on the disk of ${to}. Nothing of it was kept; make room, or name a folder on another disk.`,
  )
  expect(readdirSync(join(folder, 'no-room'))).toEqual([])
})

test('a command that is called wrongly says how it is called', async () => {
  await expect(teahouse('staff', 'add')).rejects.toThrow('This command is: staff add NAME --role ROLE')
  await expect(teahouse('restore', 'here', '--force')).rejects.toThrow('restore FOLDER [--yes]')
})

test('staff are added with a password that is shown once and fits', async () => {
  const added = await teahouse('staff', 'add', 'keeper', '--role', 'Administrator')
  const row = await database.app.selectFrom('staff').select('password_hash').where('account', '=', 'keeper').executeTakeFirstOrThrow()
  expect(await isPassword(row.password_hash, passwordIn(added))).toBe(true)

  const again = await teahouse('staff', 'password', 'Keeper')
  const renewed = await database.app.selectFrom('staff').select('password_hash').where('account', '=', 'keeper').executeTakeFirstOrThrow()
  expect(await isPassword(renewed.password_hash, passwordIn(again))).toBe(true)
  await expect(teahouse('staff', 'password', 'nobody')).rejects.toThrow('no member of staff called nobody')
  expect(await teahouse('audit', 'verify')).toBe('The log is whole: 2 entries.')
})

test('staff are added with the role that is named, which the tool shows, and an administrator never by chance', async () => {
  const roles = await teahouse('staff', 'add', 'editor').catch((error: Error) => error.message)
  expect(roles).toMatch(/^Name a role with --role\. There are:\n {2}Administrator \(管理员\): everything/)
  expect(roles).toMatch(/^ {2}Content editor \(内容编辑\): .*content\.review/m)
  await expect(teahouse('staff', 'add', 'editor', '--role', 'King')).rejects.toThrow('no role called King. There are:')
  expect(await database.app.selectFrom('staff').select('id').where('account', '=', 'editor').execute()).toEqual([])

  const added = await teahouse('staff', 'add', 'editor', '--role', 'content editor')
  expect(added).toMatch(/^editor is staff now as Content editor, with the password \w+ .*\neditor may do .*content\.review/)
  const { rows } = await sql`
    select name_en from staff join staff_role_holding on staff_id = staff.id join staff_role on staff_role.id = role_id
    where account = 'editor'`.execute(database.app)
  expect(rows).toEqual([{ name_en: 'Content editor' }])
  expect(await teahouse('staff', 'add', 'chief_two', '--role', '管理员')).toContain('may do everything')
})

test('the terminal speaks English, with any language of the forum and the machine', async () => {
  const program = fileURLToPath(new URL('../teahouse.ts', import.meta.url))
  const env = { ...process.env, ...settingsOfMachine, LANG: 'zh_CN.UTF-8', LC_ALL: 'zh_CN.UTF-8' }
  const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env })
  expect(run('help').stdout).not.toMatch(/\p{Script=Han}/u)
  expect(run('setting', 'set', 'languages', '["en_US"]').stderr).toBe('defaultLanguage: Choose one of the available languages.\n')
})

test('a member is added with a role', async () => {
  const added = await teahouse('member', 'add', 'meilan', '--role', '掌柜')
  const member = await database.app
    .selectFrom('member')
    .select(['id', 'password_hash'])
    .where('account', '=', 'meilan')
    .executeTakeFirstOrThrow()
  expect(await isPassword(member.password_hash, passwordIn(added))).toBe(true)
  expect(await role.heldNow(database.app, member.id)).toMatchObject([{ name_en: 'Keeper', ends_at: null }])
})

test('a name that is taken or misshapen is refused in words', async () => {
  await expect(teahouse('member', 'add', 'no spaces')).rejects.toThrow('3 to 25 letters')
  await teahouse('member', 'add', 'first_come')
  await expect(teahouse('staff', 'add', 'First_Come', '--role', 'Administrator')).rejects.toThrow('Choose another')
  await expect(teahouse('member', 'add', 'second', '--role', 'King')).rejects.toThrow('There are: Keeper (掌柜)')
})

test('a setting that is changed is known to a running forum at once', async () => {
  invalidated.length = 0
  expect(await teahouse('setting', 'set', 'topicsPerPage', '12')).toBe('topicsPerPage is 12 now.')
  await expect.poll(() => invalidated).toEqual([['setting', 'everything']])
  expect((await setting.all(database.app)).topicsPerPage).toBe(12)
  expect(await teahouse('setting', 'get', 'topicsPerPage')).toBe('12')
  expect(await teahouse('setting', 'list')).toMatch(/^\* topicsPerPage +12$/m)
})

test('an encrypted setting is set by the operator and shown nowhere, in the log neither', async () => {
  expect(await teahouse('setting', 'set', 'baiduToken', 'secretLeaf')).toBe('baiduToken is set.')
  expect(await teahouse('setting', 'get', 'baiduToken')).toBe('(set)')
  expect(await teahouse('setting', 'list')).not.toContain('secretLeaf')
  await teahouse('setting', 'set', 'indexNowKey', 'openToSearch')
  const actions = await database.app.selectFrom('audit_log').selectAll().execute()
  expect(JSON.stringify(actions)).not.toMatch(/secretLeaf|openToSearch/)
  expect(await teahouse('setting', 'set', 'baiduToken', '')).toBe('baiduToken is removed.')
  expect(await teahouse('setting', 'get', 'baiduToken')).toBe('')
})

test('a setting is read from a file', async () => {
  const file = join(folder, 'closed.txt')
  writeFileSync(file, 'Moving house')
  await teahouse('setting', 'set', 'closedTextEn', `@${file}`)
  expect(await teahouse('setting', 'get', 'closedTextEn')).toBe('Moving house')
})

test.each([
  ['topicsPerPage', 'many', 'It must be a whole number from 5 to 100.'],
  ['allowTopics', 'yes', 'It must be true or false.'],
  ['defaultLanguage', 'fr', 'It must be zh_CN or en_US or nothing.'],
  ['title', '', 'It must be text of 1 to 200 characters.'],
  ['reservedNames', '["a", 1]', 'It must be a JSON list of at most 1000 items, each text of 1 to 30 characters'],
  ['heatGravity', '3', 'It must be a number from 0.1 to 2.'],
  ['fileStorageSystem', '11', 'It must be 0 or 10 or 20 or 30.'],
  ['teaware', 'x', 'There is no setting teaware. There are: title,'],
])('%s cannot be "%s"', async (name, value, words) => {
  await expect(teahouse('setting', 'set', name, value)).rejects.toThrow(words)
})

test('a large forum is made up on request', async () => {
  expect(await teahouse('seed', '--comments', '50')).toContain('50 comments and 10 replies in 20 topics by 20 members')
  await expect(teahouse('seed', '--comments', '0')).rejects.toThrow('a whole number from 1')
})

test('a forum is backed up while it runs, and not restored until it is stopped', async () => {
  const target = join(folder, 'backup')
  expect(await teahouse('backup', target)).toContain(target)
  await database.app.selectFrom('member').select('id').limit(1).execute()
  await expect(teahouse('restore', target, '--yes')).rejects.toThrow('Stop it, then restore')

  await database.close()
  await expect(teahouse('restore', target)).rejects.toThrow('add --yes')
  expect(await teahouse('restore', target, '--yes')).toContain('The forum is as it was at')
  expect(await teahouse('migrate')).toBe('The database is up to date.')
})

/** The output of the tool, or its error. */
async function teahouse(...args: string[]): Promise<string> {
  return runCommand(args, readConfig(settingsOfMachine))
}

function passwordIn(answer: string): string {
  return /[A-Za-z2-9]{16}/.exec(answer)?.[0] ?? ''
}
