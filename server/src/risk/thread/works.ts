import { createGradeWork, type GradeWork } from './gradeWork.ts';
import { createViewWork, type ViewWork } from './viewWork.ts';

/** The kinds of work that a thread can run. */
export interface Works {
  readonly view: ViewWork;
  readonly grade: GradeWork;
}

export const WORKS: { readonly [Name in keyof Works]: () => Works[Name] } = {
  view: createViewWork,
  grade: createGradeWork,
};
