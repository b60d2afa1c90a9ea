import { expect, it } from 'vitest'
import { cacheFolder } from './cache-folder.ts'
import { pythonCommands } from './find-python.ts'

const homeDir = '/home/ada'

it('keeps what can be downloaded again where each platform has it', () => {
  const folder = (platform: NodeJS.Platform, env = {}) => cacheFolder({ platform, env, homeDir }).replaceAll('\\', '/')
  expect(folder('linux')).toBe('/home/ada/.cache/adapt')
  expect(folder('linux', { XDG_CACHE_HOME: '/cache' })).toBe('/cache/adapt')
  expect(folder('linux', { XDG_CACHE_HOME: 'cache' })).toBe('/home/ada/.cache/adapt')
  expect(folder('darwin', { XDG_CACHE_HOME: '/cache' })).toBe('/home/ada/Library/Caches/adapt')
  expect(folder('win32')).toBe('/home/ada/AppData/Local/adapt/Cache')
  expect(folder('win32', { LOCALAPPDATA: '/local' })).toBe('/local/adapt/Cache')
})

it('looks for Python where each platform has it', () => {
  expect(pythonCommands('win32')[0]).toEqual(['py', '-3'])
  expect(pythonCommands('linux').slice(0, 3)).toEqual([['python3'], ['python'], ['python3.14']])
  expect(pythonCommands('darwin')[0]).toEqual(['python3'])
})
