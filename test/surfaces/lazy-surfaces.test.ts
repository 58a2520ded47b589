import { expect, test } from '@jest/globals'
import { LazySurface } from '../../src/surfaces/http/lazy-surface.ts'
import { createRoutes, type Match } from '../../src/surfaces/http/router.ts'
import type { Surface } from '../../src/surfaces/http/surface.ts'
import { uploadsSurface } from '../../src/surfaces/uploads/surface.ts'

/** A surface at `/<name>`, and what makes it be there. */
function slowly(name: string) {
  let arrive: ((surface: Surface) => void) | undefined
  let fail: ((error: Error) => void) | undefined
  const loading = new Promise<Surface>((resolve, reject) => {
    arrive = resolve
    fail = reject
  })
  const claim = { owns: (path: string) => path === `/${name}` }
  return {
    lazy: new LazySurface(claim, () => loading),
    arrive: () => arrive?.({ ...uploadsSurface, name }),
    fail: (message: string) => fail?.(new Error(message)),
  }
}

test('a surface that is there answers at once; one that is not is waited for, once', async () => {
  const one = slowly('one')
  const loading: Promise<unknown>[] = []
  const route = createRoutes([one.lazy], (request) => loading.push(request))
  const waiting = route('GET', '/one')
  expect(waiting).toBeInstanceOf(Promise)
  one.arrive()
  expect((await waiting).surface.name).toBe('one')
  expect((route('GET', '/one') as Match).surface.name).toBe('one')
  expect(loading).toEqual([waiting])
})

test('requests keep their order while one waits for its surface', async () => {
  const [slow, quick] = [slowly('slow'), slowly('quick')]
  quick.arrive()
  await quick.lazy.load()
  const route = createRoutes([slow.lazy, quick.lazy], () => {})
  const order: string[] = []
  const taken = ['/slow', '/quick', '/slow'].map(async (path) => {
    order.push((await route('GET', path)).surface.name)
  })
  await Promise.resolve()
  expect(order).toEqual([])
  slow.arrive()
  await Promise.all(taken)
  expect(order).toEqual(['slow', 'quick', 'slow'])
  expect(route('GET', '/quick')).not.toBeInstanceOf(Promise)
})

test('a surface that cannot be loaded fails who asked it, and nobody after', async () => {
  const [broken, whole] = [slowly('broken'), slowly('whole')]
  whole.arrive()
  await whole.lazy.load()
  const route = createRoutes([broken.lazy, whole.lazy], () => {})
  const refused = Promise.resolve(route('GET', '/broken'))
  const after = route('GET', '/whole')
  broken.fail('not there')
  await expect(refused).rejects.toThrow('not there')
  expect((await after).surface.name).toBe('whole')
})
