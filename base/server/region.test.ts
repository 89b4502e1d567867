import { expect, test } from 'vitest'
import { provinces, regionName } from '#base/region-name.ts'
import { regionOf } from '#base/server/region.ts'

test('an address is from a province of China, from another country, or unknown', async () => {
  const known = { '61.135.169.125': 'CN-BJ', '110.16.0.1': 'CN-NM', '140.112.8.116': 'TW', '203.145.95.1': 'HK', '202.175.34.1': 'MO' }
  const abroad = { '8.8.8.8': 'US', '80.67.169.12': 'FR', '133.242.0.3': 'JP', '::ffff:8.8.8.8': 'US' }
  for (const [ip, region] of Object.entries({ ...known, ...abroad })) expect([ip, await regionOf(ip)]).toEqual([ip, region])
  for (const ip of ['10.1.2.3', '127.0.0.1', '192.168.1.1', '::1', 'fd00::1', '::ffff:10.0.0.1']) expect(await regionOf(ip)).toBe('local')
  for (const ip of ['2001:4860:4860::8888', '240.0.0.1']) expect(await regionOf(ip)).toBe(null)
})

test('a region has its name in each language', () => {
  expect(['CN-GD', 'CN', 'HK', 'TW', 'JP'].map((code) => regionName(code, 'zh'))).toEqual(['广东', '中国', '香港', '台湾', '日本'])
  expect(['CN-GD', 'CN', 'HK', 'TW', 'JP'].map((code) => regionName(code, 'en'))).toEqual([
    'Guangdong',
    'China',
    'Hong Kong',
    'Taiwan',
    'Japan',
  ])
  expect(Object.keys(provinces)).toHaveLength(31)
})
