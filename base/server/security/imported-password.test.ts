import { createHash, pbkdf2Sync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { argon2i, argon2id } from 'hash-wasm'
import { describe, expect, test } from 'vitest'
import { isPassword, renewedHash } from '#base/server/security/hash-password.ts'
import { importedHash, type ImportedPassword } from '#base/server/security/imported-password.ts'

const typed = 'rain on the roof'
const rows = (name: string) => readFileSync(new URL(`../../../features/site/importer/testing/rows/${name}`, import.meta.url), 'utf8')

function digits(algorithm: string, text: string | Buffer): string {
  return createHash(algorithm).update(text).digest('hex')
}

const md5 = (text: string | Buffer) => digits('md5', text)
const sha1 = (text: string) => digits('sha1', text)
const sha256 = (text: string) => digits('sha256', text)

async function stored(password: ImportedPassword): Promise<string> {
  const hashed = await importedHash(password)
  if (hashed === null) throw new Error(`${password.hash} is of an unknown kind`)
  return hashed
}

/** Whether each of the texts fits. */
async function fits(password: ImportedPassword, ...texts: string[]): Promise<boolean[]> {
  const hashed = await stored(password)
  return Promise.all(texts.map((text) => isPassword(hashed, text)))
}

describe('hashes that the programs wrote', () => {
  const hashIn = (name: string, find: RegExp) => find.exec(rows(name))?.[1] ?? ''
  const ofPhpbb = (id: number) => hashIn('phpbb.sql', new RegExp(`INTO \`phpbb_users\`.*VALUES \\(${id},.*?'(\\$argon2id\\$[^']+)'`))
  const ofDiscuz = (id: number) => hashIn('discuz.sql', new RegExp(`INTO \`pre_ucenter_members\`.*VALUES \\(${id},.*?'(\\$2y\\$[^']+)'`))
  const ofNodebb = (name: string) => hashIn(name, /^.*"user:2".*?"password": ?"([^"]+)"/m)

  test.each([
    ['phpbb', ofPhpbb(2), 'teahouse1'],
    ['phpbb', ofPhpbb(58), 'correct horse 1'],
    ['phpbb', ofPhpbb(59), `密码${'茶'.repeat(24)}`],
    ['phpbb', ofPhpbb(61), '<pass> & "word"'],
    ['phpbb', ofPhpbb(61), ' <pass> & "word" '],
    ['discuz', ofDiscuz(1), 'teahouse1'],
    ['discuz', ofDiscuz(2), 'correct horse'],
    ['discuz', ofDiscuz(2), ' correct horse '],
    ['nodebb', ofNodebb('nodebb-redis.jsonl'), 'correct horse 1'],
    ['nodebb', ofNodebb('nodebb-postgres.jsonl'), 'correct horse 1'],
    ['phpbb', '$H$9U1X1wxejtHbI2mN6bAZxzxv6y09cM/', 'tea cup'],
  ] as const)('the password of a %s account with %s is %s', async (family, hash, text) => {
    expect(await fits({ family, hash }, text, `${text}2`, '')).toEqual([true, false, false])
  })
})

// Computed with libxcrypt, with which PHP agrees.
describe('bcrypt', () => {
  const start = '$2y$04$Jx7oY2kq0u5TQ3vNnq1D5e'
  const plain = `${start}NuF6eOntapKtQn4OLYKzaTxTCEn156u`

  test('a password is read up to its 72nd byte', async () => {
    const hash = `${start}EUvAuqSDh7Ij8isFuCFBvZx6Zz2oOeq`
    const texts = ['茶'.repeat(30), '茶'.repeat(24), `${'茶'.repeat(24)}别`, '茶'.repeat(23)]
    expect(await fits({ family: 'flarum', hash }, ...texts)).toEqual([true, true, true, false])
  })

  test.each(['2a', '2b', '2x', '2y'])('the prefix $%s$ is known', async (prefix) => {
    expect(await fits({ family: 'flarum', hash: plain.replace('2y', prefix) }, typed, 'rain')).toEqual([true, false])
  })

  test('an empty password fits no hash', async () => {
    expect(await fits({ family: 'flarum', hash: `${start}74I058rVK0bGqNkOyuNnoGuUbc40D6e` }, '')).toEqual([false])
  })

  test('a NodeBB password may have been digested with SHA-512 first', async () => {
    expect(await fits({ family: 'nodebb', hash: `${start}7UZZHZWbYGYK8x2.HbLD2FVqozNcX3K` }, typed)).toEqual([true])
    expect(await fits({ family: 'nodebb', hash: plain }, typed)).toEqual([true])
  })

  test('a password on a GBK board was hashed in GBK, or in UTF-8 by a script', async () => {
    const inGbk = { family: 'discuz', hash: `${start}TPN/Y8yUu8TFb8VV/p9iQojF3q9gMrC`, charset: 'gbk' } as const
    expect(await fits(inGbk, '密码', ' 密码\n', '密碼')).toEqual([true, true, false])
    expect(await fits({ ...inGbk, hash: `${start}EUvAuqSDh7Ij8isFuCFBvZx6Zz2oOeq` }, '茶'.repeat(30))).toEqual([true])
  })

  test('a phpass hash that phpBB hashed once more is compared as both', async () => {
    const hash = String.raw`$H\2y$9U1X1wxej$04\Jx7oY2kq0u5TQ3vNnq1D5e$hzX3P9BbZdSamVTM0Y2YmFz6zXJHKVK`
    expect(await fits({ family: 'phpbb', hash }, 'tea cup', ' tea cup', 'tea cups')).toEqual([true, true, false])
  })
})

test.each([argon2i, argon2id])('the parameters of Argon2 are those of the hash', async (argon2) => {
  const cost = { parallelism: 2, iterations: 4, memorySize: 64, hashLength: 32 }
  const hash = await argon2({ password: typed, salt: 'a salt of 16 byt', ...cost, outputType: 'encoded' })
  expect(await fits({ family: 'phpbb', hash }, typed, 'rain')).toEqual([true, false])
})

/** A portable phpass hash, from its description: the lowest bits come first. */
function phpass(text: string, setting = '$H$9saltsalt'): string {
  const letters = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let digest = createHash('md5').update(setting.slice(4)).update(text).digest()
  for (let left = 2 ** letters.indexOf(setting.charAt(3)); left > 0; left--) digest = createHash('md5').update(digest).update(text).digest()
  let bits = BigInt(`0x${Buffer.from(digest).reverse().toString('hex')}`)
  let encoded = ''
  for (let count = 0; count < 22; count++, bits >>= 6n) encoded += letters.charAt(Number(bits & 63n))
  return setting + encoded
}

const pbkdf2 = (rounds: number, salt: string) => pbkdf2Sync(typed, Buffer.from(salt), rounds, 32, 'sha256').toString('hex')
const salt = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'
const gbkBytes = Buffer.from('c3dcc2eb', 'hex')

/** Hashes that the tables of other programs may hold and a machine guesses quickly. */
const weak: [string, ImportedPassword][] = [
  ['phpBB from phpBB 2', { family: 'phpbb', hash: md5(typed) }],
  ['phpBB 3.0', { family: 'phpbb', hash: phpass(typed) }],
  ['phpass', { family: 'phpbb', hash: phpass(typed, '$P$Bsaltsalt') }],
  ['phpBB 3.0 from phpBB 2', { family: 'phpbb', hash: `$CP$${phpass(md5(typed))}` }],
  ['phpBB 3.1 from phpBB 2', { family: 'phpbb', hash: `$CP$${md5(typed)}` }],
  ['phpBB from vBulletin', { family: 'phpbb', hash: `$CP$${md5(md5(typed) + '9^F')}`, salt: '9^F' }],
  ['phpBB from MyBB', { family: 'phpbb', hash: `$CP$${md5(md5('a:$b') + md5(typed))}`, salt: 'a:$b' }],
  ['phpBB from a program with SHA-1', { family: 'phpbb', hash: `$CP$${sha1(typed)}` }],
  ['phpBB from WoltLab', { family: 'phpbb', hash: `$CP$${sha1(salt + sha1(salt + sha1(typed)))}`, salt }],
  ['phpBB from XenForo 1.0', { family: 'phpbb', hash: `$CP$${sha1(sha1(typed) + salt)}`, salt }],
  ['phpBB from XenForo 1.1', { family: 'phpbb', hash: `$CP$${sha256(sha256(typed) + salt)}`, salt }],
  ['Discuz! X3.4', { family: 'discuz', hash: md5(`${md5(typed)}a1b2c3`), salt: 'a1b2c3' }],
  ['Discourse', { family: 'discourse', hash: `$pbkdf2-sha256$i=6000,l=32$${pbkdf2(6_000, salt)}`, salt }],
  ['Discourse without the algorithm', { family: 'discourse', hash: pbkdf2(64_000, salt), salt }],
  ['diyhi', { family: 'diyhi', hash: sha256(`${sha256(typed)}[${salt}]`), salt }],
]

describe('quick digests', () => {
  test.each(weak)('the password of %s fits', async (_program, password) => {
    expect(await fits(password, typed, `${typed}.`, '')).toEqual([true, false, false])
  })

  test.each(weak)('the stored text of %s has neither the password nor its digest', async (_program, password) => {
    const hashed = await stored(password)
    const texts = [typed, md5(typed), sha1(typed), sha256(typed), password.hash, password.hash.replace('$CP$', '').slice(12)]
    expect(texts.filter((text) => hashed.includes(text))).toEqual([])
    expect(hashed).toMatch(/^imported:[a-z]+2?:[a-z0-9-]+:.*\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/)
  })

  test('the digits may be capitals', async () => {
    expect(await fits({ family: 'phpbb', hash: md5(typed).toUpperCase() }, typed)).toEqual([true])
  })

  test('a password on a GBK board was digested in GBK', async () => {
    const ofBoard = { family: 'discuz', salt: 'a1b2c3', charset: 'gbk' } as const
    expect(await fits({ ...ofBoard, hash: md5(`${md5(gbkBytes)}a1b2c3`) }, '密码', '密碼')).toEqual([true, false])
    expect(await fits({ ...ofBoard, hash: md5(`${md5('密码')}a1b2c3`) }, '密码')).toEqual([true])
    const smile = Buffer.concat([gbkBytes, Buffer.from('&#128512;')])
    expect(await fits({ ...ofBoard, hash: md5(`${md5(smile)}a1b2c3`) }, '密码😀')).toEqual([true])
  })

  test('phpBB hashed NFC without blanks at the ends, and with three characters and the quotation mark escaped', async () => {
    const hash = phpass("caf\u00e9 'n' &quot;tea&quot; &lt;&amp;amp;")
    const text = 'cafe\u0301 \'n\' "tea" <&amp;'
    expect(await fits({ family: 'phpbb', hash }, text, `\t${text}  `, `\u3000${text}`)).toEqual([true, true, false])
  })

  test('phpBB 2 hashed quotation marks with slashes, and Windows-1252', async () => {
    expect(await fits({ family: 'phpbb', hash: `$CP$${md5(String.raw`rock \'n\' roll`)}` }, "rock 'n' roll")).toEqual([true])
    const inWindows1252 = Buffer.from('6674806f6f', 'hex')
    expect(await fits({ family: 'phpbb', hash: `$CP$${md5(inWindows1252)}` }, 'ft€oo')).toEqual([true])
  })

  test('letters that our own form would change are compared as typed', async () => {
    expect(await fits({ family: 'diyhi', hash: sha256(`${sha256('ｔｅａ—１')}[${salt}]`), salt }, 'ｔｅａ—１', 'tea-1')).toEqual([
      true,
      false,
    ])
  })
})

test.each([
  ['$md5_vb$5f4dcc3b5aa765d61d8327deb882cf99'],
  ['$S$b57a939fa4f2c04413a4eea9734a0903647b7adb93181295'],
  ['$H$9tooshort'],
  ['$H$FU1X1wxejtHbI2mN6bAZxzxv6y09cM/'],
  ['$2y$31$Jx7oY2kq0u5TQ3vNnq1D5eNuF6eOntapKtQn4OLYKzaTxTCEn156u'],
  ['$argon2id$v=19$m=4194304,t=4,p=2$THV0NlI0ZTdoMDhUMDNkeA$q8FARHV3rXJqlqHpkOuzBEnZ2rhp/lSfYL3goLVWSlU'],
  ['$argon2id$v=19$m=65536,t=4,p=2$THV0'],
  ['5f4dcc3b5aa765d61d8327deb882cf9g'],
  ['*'],
  [''],
])('a hash of an unknown kind, or with an endless cost, is not imported: %s', async (hash) => {
  expect(await importedHash({ family: 'phpbb', hash })).toBeNull()
})

test('a malformed stored text is an error', async () => {
  const broken = ['imported:phpbb', 'imported:other:$2y$04$', 'imported:phpbb+big5:$2y$04$', 'imported:phpbb:md4:$argon2id$']
  for (const hashed of broken) await expect(isPassword(hashed, typed)).rejects.toThrow('An imported hash')
})

test('a comparison leaves the event loop free', async () => {
  const hash = '$2b$12$GSEQWd8/g2wDVN/FovcTqulFLDzj2rFuX7BowosBgzV/EaiVwTa1.'
  const hashed = await stored({ family: 'nodebb', hash })
  await isPassword(hashed, typed)
  let ticks = 0
  const clock = setInterval(() => ticks++, 5)
  await isPassword(hashed, typed)
  clearInterval(clock)
  // A blocked loop ticks once, when it is free again.
  expect(ticks).toBeGreaterThan(2)
})

test('two renewals of one hash are equal, and fit the password in our own form', async () => {
  const hashed = await stored({ family: 'phpbb', hash: md5('tea—１') })
  const [first, second] = await Promise.all([renewedHash(hashed, 'tea—１'), renewedHash(hashed, 'tea—１')])
  expect(second).toBe(first)
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect([await isPassword(first, 'tea-1'), await isPassword(first, 'tea')]).toEqual([true, false])
  expect(await renewedHash(first ?? '', 'tea—１')).toBeNull()
})
