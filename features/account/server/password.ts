import { randomInt } from 'node:crypto'

/** Sixteen characters that cannot be mistaken for each other: about 90 bits. */
export function randomPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  return Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')
}

/** True for passwords that are tried first by those who guess. */
export function isCommon(password: string, account: string): boolean {
  const plain = password.toLowerCase()
  if (plain.includes(account.toLowerCase()) && password.length < account.length + 4) return true
  if (new Set(plain).size <= 2) return true
  if (isRun(plain)) return true
  return common.has(plain) || common.has(plain.replace(/[\d!@#$._]+$/, ''))
}

// 1234567, abcdefg, 7654321, and rows of the keyboard.
function isRun(text: string): boolean {
  const rows = [
    '01234567890',
    'abcdefghijklmnopqrstuvwxyz',
    'qwertyuiop',
    'asdfghjkl',
    'zxcvbnm',
    '1qaz2wsx3edc4rfv',
    'qazwsxedcrfv',
    '1q2w3e4r5t6y7u8i',
  ]
  return rows.some((row) => row.includes(text) || [...row].reverse().join('').includes(text))
}

const common = new Set(
  `password passw0rd p@ssword p@ssw0rd welcome letmein iloveyou sunshine princess football baseball basketball superman batman
  dragon monkey shadow master michael jordan jessica ashley charlie donald trustno1 starwars whatever freedom computer internet
  samsung google secret administrator changeme default qwerty qwerty123 qwer1234 qweasd qweasdzxc asdf1234 asdfasdf zxcv1234
  abc123 abcd1234 abc12345 a123456 a1234567 a12345678 aa123456 aaa111 q1w2e3r4 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 123qwe 123qweasd
  123123123 123321 112233 11223344 121212 123abc 147258369 147258 159357 159753 258369 5201314 520520 1314520 1314521 woaini woaini520
  woaini1314 woaini123 iloveu iloveyou1 wodemima mima1234 nihao123 zhangsan lisi1234 beijing shanghai zhongguo china123 taobao qq123456
  wang1234 li123456 zhang123 88888888 66666666 12344321 87654321 1111aaaa 19491001 20080808 teahouse`.split(/\s+/),
)
