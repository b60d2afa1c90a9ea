import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findWheels, LOCK_PATH, nameOf, PLATFORMS, PYTHON_VERSIONS, readWheelLock } from './wheel-lock.ts'

const PROJECTS = ['av', 'ctranslate2', 'faster-whisper', 'numpy', 'tokenizers', 'tqdm']
/** The oldest system of each platform that the wheels may ask for. */
const OLDEST_SYSTEMS = {
  'linux-x64': ['manylinux_2_28_x86_64', 'manylinux_2_27_x86_64', 'manylinux_2_17_x86_64', 'manylinux2014_x86_64'],
  'linux-arm64': [
    'manylinux_2_28_aarch64',
    'manylinux_2_27_aarch64',
    'manylinux_2_17_aarch64',
    'manylinux2014_aarch64',
  ],
  'darwin-arm64': ['macosx_11_0_arm64', 'macosx_14_0_arm64'],
  'win32-x64': ['win_amd64'],
}
const TARGETS = PYTHON_VERSIONS.flatMap((python) => PLATFORMS.map((platform) => ({ python, platform })))

/** The Python tags that a wheel with a stable interface may have on a Python, oldest first. */
function stableTags(minor: number): string[] {
  return Array.from({ length: minor - 2 + 1 }, (_, index) => `cp3${index + 2}`)
}

describe('the lock of wheels', () => {
  const lock = readWheelLock()

  it.each(TARGETS)('has one wheel of each package for Python $python on $platform', ({ python, platform }) => {
    const wheels = findWheels(lock, python, platform) ?? []
    expect(wheels.map(({ project }) => project).toSorted()).toEqual(PROJECTS)
    const minor = Number(python.slice(2))
    for (const { name } of wheels) {
      const [, , pythonTag = '', abi = '', systems = ''] = name.replace(/\.whl$/, '').split('-')
      if (abi === 'none') expect([pythonTag.split('.').includes('py3'), systems]).toEqual([true, 'any'])
      else if (abi === 'abi3') expect(stableTags(minor)).toContain(pythonTag)
      else expect([pythonTag, abi]).toEqual([`cp3${minor}`, `cp3${minor}`])
      if (systems !== 'any') expect(OLDEST_SYSTEMS[platform]).toEqual(expect.arrayContaining(systems.split('.')))
    }
  })

  it('names each file once, and no file that no target needs', () => {
    const needed = new Set(Object.values(lock.targets).flat())
    expect(Object.keys(lock.wheels).toSorted()).toEqual([...needed].toSorted())
  })

  it('has nothing for a Python or a platform that the engine does not run on', () => {
    expect(findWheels(lock, '3.9', 'linux-x64')).toBeNull()
    expect(findWheels(lock, '3.12', 'win32-arm64')).toBeNull()
  })

  it('stays small', () => {
    expect(statSync(LOCK_PATH).size).toBeLessThan(200_000)
  })

  it('gives the same files the same name, and others another', () => {
    const [first = [], second = []] = ['3.11', '3.12'].map((python) => findWheels(lock, python, 'linux-x64') ?? [])
    expect(nameOf(first)).toBe(nameOf([...first]))
    expect(nameOf(first)).not.toBe(nameOf(second))
  })
})
