package javax.annotation;

/** The part of Jakarta's annotations (version 1) that generated clients use, instead of a download. */
public @interface Generated {
    String[] value();

    String date();

    String comments();
}
