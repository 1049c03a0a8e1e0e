import { createGradeWork, type GradeWork } from './gradeWork.ts';
import { createViewWork, type ViewWork } from './viewWork.ts';

/** What a thread can be started for. */
export interface Works {
  readonly view: ViewWork;
  readonly grade: GradeWork;
}

export const WORKS: { readonly [Name in keyof Works]: () => Works[Name] } = {
  view: createViewWork,
  grade: createGradeWork,
};
